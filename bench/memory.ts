import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { type AnnounceCtx, announce } from '../src/alerts/announce.ts';
import { silent } from '../src/lib/logger.testing.ts';
import { readPresent } from '../src/polling/poll.ts';
import { readPast } from '../src/polling/read-past.ts';
import type { PollingCtx } from '../src/polling/reading.ts';
import { openDb } from '../src/store/open.ts';
import { prune } from '../src/store/prune.ts';
import { configuredWatch } from '../src/watches/watches.testing.ts';
import { bytesIn, pagesRead, withGeneratedService, withTemporaryFolder } from './ground.ts';
import { generationFor, NEVER, POLL_MS, pollerCtx, START } from './poller.ts';
import type { BenchResult } from './result.ts';
import { cpuTimed } from './statistics.ts';

const MB = 2 ** 20;
const WARM_AT = 100_000;
const READ_IN_ALL = 1_000_000;
const PAGE = 50;
/** The first poll covers an hour; later ones are 15 minutes apart by the poller's clock. */
const ROUND_MS = 15 * 60_000;
const EVENTS_AN_HOUR = 10_000;
const FAILING_ONE_IN = 100;
const PRUNE_EVERY = 4;
/** A late event loop delays acknowledgments, of which 99 in 100 shall take no longer. */
const LONGEST_DELAY_MS = 250;
/** Some twenty bytes an event: what keeps anything of each grows by more. */
const MOST_GROWN_MB = 20;
/** A busy machine explains less; work that grows with what was read would be several times as much. */
const MOST_TIMES_THE_WORK = 1.5;
/** Failures are kept for a month, events for hours; the write-ahead log (some 100 MB) is truncated at checkpoints. */
const MOST_DISK_MB = 250;
const NANOSECONDS_A_MS = 1e6;

interface Stretch {
  events: number;
  cpuMs: number;
}

/** Measures whether memory or the work of a poll grows over a million events, with the real client and the embedded store. */
export function measure(): Promise<BenchResult> {
  return withGeneratedService(generationFor(EVENTS_AN_HOUR, FAILING_ONE_IN), (url) =>
    withTemporaryFolder(async (folder) => {
      const database = await openDb({ kind: 'embedded', folder }, { logger: silent });
      const clock = { at: START };
      await configuredWatch(database.db, 'C0BENCH', new Date(clock.at - 1));
      const ctx = pollerCtx(url, database.db, () => new Date(clock.at));
      const result = await readMillion({ ctx, clock, folder, url });
      await database.close();
      return result;
    }),
  );
}

interface Setup {
  ctx: PollingCtx & AnnounceCtx;
  clock: { at: number };
  folder: string;
  url: string;
}

async function readMillion(setup: Setup): Promise<BenchResult> {
  let read = 0;
  let rounds = 0;
  const readUpTo = async (events: number): Promise<Stretch> => {
    const before = read;
    const cpuMs = await cpuTimed(async () => {
      while (read < events) {
        rounds += 1;
        await round(setup.ctx, rounds);
        setup.clock.at += ROUND_MS;
        read = (await pagesRead(setup.url)) * PAGE;
      }
    });
    return { events: read - before, cpuMs };
  };
  await readUpTo(WARM_AT);
  const warm = { read, ...(await memoryNow()), disk: await bytesIn(setup.folder) };
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const early = await readUpTo(WARM_AT * 2);
  await readUpTo(READ_IN_ALL - WARM_AT);
  const late = await readUpTo(READ_IN_ALL);
  delays.disable();
  const { heapAndBuffers, rss } = await memoryNow();
  const growthOfWork = perThousand(late) / perThousand(early);
  const delayMs = delays.percentile(99) / NANOSECONDS_A_MS;
  const grownMb = ((await bytesIn(setup.folder)) - warm.disk) / MB;
  return {
    name: `memory and work, from event ${warm.read} to ${read}`,
    figures: [
      {
        label: 'growth of heap and buffers',
        value: (heapAndBuffers - warm.heapAndBuffers) / MB,
        unit: 'MB',
        limit: MOST_GROWN_MB,
      },
      { label: 'growth of the process', value: (rss - warm.rss) / MB, unit: 'MB' },
      { label: 'a thousand events, at first', value: perThousand(early), unit: 'ms CPU' },
      { label: 'a thousand events, in the end', value: perThousand(late), unit: 'ms CPU' },
      { label: 'the latter against the former', value: growthOfWork, unit: 'times', limit: MOST_TIMES_THE_WORK },
      { label: 'delay of the event loop, p99', value: delayMs, unit: 'ms', limit: LONGEST_DELAY_MS },
      { label: 'growth of the database', value: grownMb, unit: 'MB', limit: MOST_DISK_MB },
    ],
  };
}

async function round(ctx: Setup['ctx'], number: number): Promise<void> {
  await readPresent(ctx, 'bench', NEVER);
  await readPast(ctx, 'bench', new Date(ctx.now().getTime() + POLL_MS), NEVER);
  await announce(ctx, 'bench');
  if (number % PRUNE_EVERY === 0) await prune({ ...ctx, vacuum: async () => {}, retentionDays: 30 });
}

const perThousand = ({ events, cpuMs }: Stretch): number => (cpuMs * 1_000) / events;

/** Returns bytes, after garbage collection. */
async function memoryNow(): Promise<{ heapAndBuffers: number; rss: number }> {
  for (let pass = 0; pass < 5; pass++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapAndBuffers: heapUsed + external, rss };
}
