import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { FIRST_COVERAGE_MS } from '../src/coverage/gap.ts';
import { ALL_FAILURES } from '../src/judging/filter.ts';
import { failuresIn } from '../src/lookups/failures.ts';
import { readPresent } from '../src/polling/poll.ts';
import { withDatabase, withGeneratedService } from './ground.ts';
import { generationFor, NEVER, pollerCtx, START } from './poller.ts';
import type { BenchResult, Figure } from './result.ts';
import { bestOf, maximum, percentile } from './statistics.ts';
import { timedDb } from './timed-database.ts';

const EVENTS = 20_000;
const ROUNDS = 5;
/** The database still compiles itself while it records the first pages, once in the life of a process. */
const WARM_UP_EVENTS = 1_000;
const NANOSECONDS_A_MS = 1e6;
/** One statement may keep the next ones waiting this long, its planning included: there is one connection. */
const LONGEST_STATEMENT_MS = 15;
/** A blocked process delays acknowledgments, which may take this long (promise 1). */
const LONGEST_DELAY_MS = 250;

/** Delays of the event loop, in milliseconds. */
interface Delays {
  median: number;
  p99: number;
  max: number;
}

/** A poll and then a lookup of everything that it recorded, in milliseconds. */
interface Round {
  statements: number[];
  pollDelays: Delays;
  lookupDelays: Delays;
  lookupMs: number;
}

/** Measures how long a poll of 20,000 failing events and a lookup of all of them block the process: the best of five rounds. */
export async function measure(): Promise<BenchResult> {
  const rounds = await withGeneratedService(generationFor(WARM_UP_EVENTS, 1), (warmUpUrl) =>
    withGeneratedService(generationFor(EVENTS, 1), async (url) => {
      const done: Round[] = [];
      while (done.length < ROUNDS) done.push(await pollAndLook(url, warmUpUrl));
      return done;
    }),
  );
  const statements = bestOf(rounds.map(({ statements }) => statements));
  return {
    name: `poll, ${EVENTS} failures read`,
    figures: [
      { label: 'longest statement', value: maximum(statements), unit: 'ms', limit: LONGEST_STATEMENT_MS },
      { label: 'statement, p99', value: percentile(statements, 0.99), unit: 'ms' },
      ...figuresOf('poll', rounds, 'pollDelays'),
      { label: 'a look at all of them', value: Math.min(...rounds.map(({ lookupMs }) => lookupMs)), unit: 'ms' },
      ...figuresOf('look', rounds, 'lookupDelays'),
    ],
  };
}

function figuresOf(situation: string, rounds: readonly Round[], delays: 'pollDelays' | 'lookupDelays'): Figure[] {
  const least = (which: keyof Delays): number => Math.min(...rounds.map((round) => round[delays][which]));
  const label = `${situation}: delay of the event loop`;
  return [
    { label: `${label}, median`, value: least('median'), unit: 'ms' },
    { label: `${label}, p99`, value: least('p99'), unit: 'ms' },
    { label: `${label}, longest`, value: least('max'), unit: 'ms', limit: LONGEST_DELAY_MS },
  ];
}

function pollAndLook(url: string, warmUpUrl: string): Promise<Round> {
  return withDatabase(async ({ db, connect }) => {
    await readPresent(pollerCtx(warmUpUrl, db), 'warm-up', NEVER);
    // The next name would go on with its coverage, as both services show the same environment.
    await db.write(sql`UPDATE environments SET service_environment_id = NULL`);
    const statements: number[] = [];
    const ctx = pollerCtx(url, timedDb(connect, statements));
    const pollDelays = await delaysDuring(() => readPresent(ctx, 'bench', NEVER));
    const hour = { from: new Date(START - FIRST_COVERAGE_MS), to: new Date(START) };
    let lookupMs = 0;
    const lookupDelays = await delaysDuring(async () => {
      const begun = performance.now();
      await failuresIn(db, 'bench', { range: hour, coverage: hour }, ALL_FAILURES);
      lookupMs = performance.now() - begun;
    });
    return { statements, pollDelays, lookupDelays, lookupMs };
  });
}

/** Pauses before and after the work: a delay is only measured when the event loop comes around again. */
async function delaysDuring(work: () => Promise<unknown>): Promise<Delays> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await pause(10);
  await work();
  await pause(10);
  histogram.disable();
  const inMs = (nanoseconds: number): number => nanoseconds / NANOSECONDS_A_MS;
  return { median: inMs(histogram.percentile(50)), p99: inMs(histogram.percentile(99)), max: inMs(histogram.max) };
}
