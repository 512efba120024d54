import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { storeOn } from '../src/store/store.ts';
import { type RoundParts, readNewEvents } from '../src/use-cases/read-new-events.ts';
import { cpuTimed } from './cpu-time.ts';
import { withDatabase, withGeneratedService } from './ground.ts';
import { eventsOfFirstRound, pollerParts, START } from './poller.ts';
import type { BenchResult } from './result.ts';

const MB = 2 ** 20;
const WARM_AT = 20_000;
const READ_IN_ALL = 200_000;
/** The first round, which is the warm-up, covers an hour; those after it come every 15 minutes by the poller's clock. */
const ROUND_MS = 15 * 60_000;

/** Whether memory grows with the number of events read: the poller's use case over the real client and the embedded store. */
export async function measure(): Promise<BenchResult> {
  return withGeneratedService(eventsOfFirstRound(WARM_AT, 100), (url) =>
    withDatabase(async (database) => {
      const clock = { at: START };
      return readOn(
        pollerParts(url, storeOn(database), () => new Date(clock.at)),
        clock,
      );
    }),
  );
}

async function readOn(parts: RoundParts, clock: { at: number }): Promise<BenchResult> {
  let read = 0;
  const readUpTo = async (events: number): Promise<void> => {
    for (; read < events; clock.at += ROUND_MS) read += (await readNewEvents('bench', parts)).newEvents;
  };
  await readUpTo(WARM_AT);
  const warm = { read, ...(await memoryNow()) };
  const { cpuMs } = await cpuTimed(() => readUpTo(READ_IN_ALL));
  const { held, rss } = await memoryNow();
  return {
    name: `memory, from event ${warm.read} to ${read}`,
    figures: [
      { label: 'growth of heap and buffers', value: (held - warm.held) / MB, unit: 'MB', limit: 20 },
      { label: 'heap and buffers, in the end', value: held / MB, unit: 'MB' },
      { label: 'growth of the process', value: (rss - warm.rss) / MB, unit: 'MB' },
      { label: 'the process, in the end', value: rss / MB, unit: 'MB' },
      { label: 'a thousand events', value: (cpuMs / (read - warm.read)) * 1_000, unit: 'ms CPU' },
    ],
  };
}

/**
 * Bytes, after everything that can be freed was; `held` is JavaScript's heap, and the buffers outside of it: the process's own and the
 * database's thread's.
 */
async function memoryNow(): Promise<{ held: number; rss: number }> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: heapUsed + external + heldByThreads(), rss };
}

const Report = z.object({
  workers: z.array(z.object({ javascriptHeap: z.object({ usedMemory: z.number(), externalMemory: z.number() }) })),
});

/** Some megabytes of garbage included, more or less: nobody can collect it for another thread. */
function heldByThreads(): number {
  const { workers } = Report.parse(process.report.getReport());
  return workers.reduce(
    (sum, { javascriptHeap }) => sum + javascriptHeap.usedMemory + javascriptHeap.externalMemory,
    0,
  );
}
