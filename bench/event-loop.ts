import { monitorEventLoopDelay } from 'node:perf_hooks';
import { storeOn } from '../src/store/store.ts';
import { readNewEvents } from '../src/use-cases/read-new-events.ts';
import { withDatabase, withGeneratedService } from './ground.ts';
import { eventsOfFirstRound, pollerParts } from './poller.ts';
import type { BenchResult } from './result.ts';
import { bestOf, maximum, median, percentile } from './statistics.ts';
import { type Times, timed } from './timed-database.ts';

const EVENTS = 20_000;
const POLLS = 5;
const NANOSECONDS_A_MS = 1e6;

/** A poll's times in milliseconds; `delays` are those of the event loop. */
interface Poll extends Times {
  readonly delays: { readonly median: number; readonly p99: number; readonly max: number };
}

/**
 * How long a poll of 20,000 events, each with a failure, keeps the process from all else. The same poll is run five times: a statement's
 * time is the best of five, so that what it takes from the machine is told from what the machine takes from it.
 */
export async function measure(): Promise<BenchResult> {
  const polls = await withGeneratedService(eventsOfFirstRound(EVENTS, 1), async (url) => {
    const done: Poll[] = [];
    while (done.length < POLLS) done.push(await poll(url));
    return done;
  });
  const statements = bestOf(polls.map((each) => each.statements));
  const transactions = bestOf(polls.map((each) => each.transactions));
  const delays = polls.map((each) => each.delays);
  return {
    name: `event loop, ${EVENTS} failures read`,
    figures: [
      { label: 'longest statement', value: maximum(statements), unit: 'ms', limit: 10, against: `best of ${POLLS}` },
      { label: 'statement, p99', value: percentile(statements, 0.99), unit: 'ms' },
      { label: 'longest transaction', value: maximum(transactions), unit: 'ms' },
      { label: 'transaction, median', value: median(transactions), unit: 'ms' },
      { label: 'delay of the event loop, median', value: leastOf(delays, 'median'), unit: 'ms' },
      { label: 'delay of the event loop, p99', value: leastOf(delays, 'p99'), unit: 'ms' },
      { label: 'delay of the event loop, longest', value: leastOf(delays, 'max'), unit: 'ms' },
    ],
  };
}

function leastOf(delays: readonly Poll['delays'][], which: keyof Poll['delays']): number {
  return Math.min(...delays.map((each) => each[which]));
}

async function poll(url: string): Promise<Poll> {
  const times: Times = { statements: [], transactions: [] };
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  await withDatabase(async (database) => {
    histogram.enable();
    await readNewEvents('bench', pollerParts(url, storeOn(timed(database, times))));
    histogram.disable();
  });
  const inMs = (nanoseconds: number): number => nanoseconds / NANOSECONDS_A_MS;
  return {
    ...times,
    delays: {
      median: inMs(histogram.percentile(50)),
      p99: inMs(histogram.percentile(99)),
      max: inMs(histogram.max),
    },
  };
}
