import { ServiceError } from '../domain/errors.ts';
import type { TriggeredEvent } from '../domain/event.ts';
import { causeOfGap, partsLeft, partsOf, type Unread } from '../domain/gap.ts';
import type { Page } from '../domain/query.ts';
import { endOfRound, FIRST_COVERAGE_MS, planRound, type ReadingWindow, type RoundPlan } from '../domain/reading.ts';
import { joined, lengthOf, without } from '../domain/reading-windows.ts';
import { closeGaps, type GapStore } from './close-gaps.ts';
import { readAgain } from './read-again.ts';
import { readSpan } from './read-span.ts';
import {
  type Cursor,
  emptySum,
  type ReadingParts,
  type ReadingStore,
  type Recorded,
  recordEvents,
  type SetAside,
  type Sum,
} from './record-events.ts';
import { type SweepReport, type SweepStore, sweep } from './sweep.ts';

export interface ReadingReport extends Recorded {
  readonly unreadable: number;
  readonly readTo: Date;
  /** Whether nothing waits any more: no gap, no event that is due again, no sweep. */
  readonly caughtUp: boolean;
  /** What kept the past from being read, after the present had been. */
  readonly trouble: ServiceError | null;
  readonly clockAheadMs: number | null;
  readonly sweep: SweepReport | null;
}

export type RoundParts = ReadingParts<ReadingStore & GapStore & SweepStore>;

/**
 * A round of reading: what is new in an environment since its cursor, then events that were not settled, gaps and late failures, as far
 * as time allows. Throws the client's `ServiceError` when the present can't be read: the cursor then stays where it is.
 */
export async function readNewEvents(environment: string, parts: RoundParts): Promise<ReadingReport> {
  const started = parts.now();
  const cursor = await parts.store.takeCursor(environment, new Date(started.getTime() - FIRST_COVERAGE_MS));
  const sum = emptySum();
  const present = await orNoteTrouble(cursor, parts, () => readPresent(cursor, started, parts, sum));
  const clockAheadMs = parts.service.clockAheadMs();
  const report = { clockAheadMs, readTo: present?.to ?? cursor.readTo, caughtUp: false, trouble: null, sweep: null };
  if (present === null) return { ...told(sum), ...report };
  return { ...told(sum), ...report, ...(await readPast(cursor, started, present, parts, sum)), ...told(sum) };
}

function told({ newEvents, newFailures, unreadable }: Sum): Recorded & { unreadable: number } {
  return { newEvents, newFailures, unreadable };
}

/** The longest that a round is about the present: a service too slow for that leaves a gap, and says so. */
const LONGEST_PRESENT_MS = 2 * 60_000;

/** Null when the signal ended it: nothing is concluded then. */
async function readPresent(cursor: Cursor, now: Date, parts: RoundParts, sum: Sum): Promise<ReadingWindow | null> {
  const plan = planRound(cursor, endOfRound(now, parts.service.clockAheadMs()));
  const { present } = plan;
  const until = new Date(now.getTime() + LONGEST_PRESENT_MS);
  const onPage = async (page: Page<TriggeredEvent>) => {
    sum.pages += 1;
    await recordEvents(cursor, page, parts, sum);
  };
  const unread: Unread[] = [];
  const known = await parts.store.gapsWithin(cursor.environment, present);
  for (const window of without(present, known).reverse()) {
    unread.push(...(await readSpan(window, { onPage, until }, parts)));
    if (parts.signal.aborted) return null;
  }
  const setAside = [...missedStretch(cursor, plan, now, parts.horizonMs), ...unreadStretch(unread, now)];
  const clockAheadMs = parts.service.clockAheadMs();
  await parts.store.finishPresent(cursor, { to: present.to, setAside, clockAheadMs }, now);
  for (const { from, to, cause } of setAside) {
    parts.logger.warn({ environment: cursor.environment, from, to, cause }, 'part of the list set aside');
  }
  return present;
}

/** Told from when to when nothing was read, though it is read with an overlap, and the present has been read already. */
function missedStretch(cursor: Cursor, { missed, present }: RoundPlan, now: Date, horizonMs: number): SetAside[] {
  if (missed === null) return [];
  const parts = partsOf(missed, 0, now, horizonMs);
  return [{ from: cursor.readTo, to: present.to, ...causeOfGap(cursor, now), parts }];
}

function unreadStretch(unread: readonly Unread[], now: Date): SetAside[] {
  const [first, ...others] = joined(unread.map(({ window }) => window));
  if (first === undefined) return [];
  const problem = unread.find((part) => part.problem !== null)?.problem ?? null;
  const to = others.at(-1)?.to ?? first.to;
  return [{ from: first.from, to, cause: problem?.kind ?? 'too-much', problem, parts: partsLeft(unread, 0, now) }];
}

async function orNoteTrouble<Result>(cursor: Cursor, parts: RoundParts, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) await parts.store.noteTrouble(cursor, error.problem, parts.now());
    throw error;
  }
}

/** Of the time between two rounds, what may have passed before each part of the past is left for the next round. */
const SHARES = { readAgain: 0.4, closeGaps: 0.6, sweep: 0.9 } as const;
/** Each gets on in every round. */
const LEAST_SHARE = 0.05;

async function readPast(
  cursor: Cursor,
  started: Date,
  present: ReadingWindow,
  parts: RoundParts,
  sum: Sum,
): Promise<Partial<ReadingReport>> {
  const { now, pollMs } = parts;
  const until = (share: number) =>
    new Date(Math.max(started.getTime() + share * pollMs, now().getTime() + LEAST_SHARE * pollMs));
  const eventsAMinute = (sum.events * 60_000) / Math.max(1, lengthOf(present));
  const pagesAMinute = Math.ceil((sum.pages * 60_000) / pollMs);
  try {
    const isReadAgain = await readAgain(cursor, parts, sum, { eventsAMinute, until: until(SHARES.readAgain) });
    const isClosed = await closeGaps(cursor, parts, sum, until(SHARES.closeGaps));
    const swept = await sweep(cursor, parts, sum, until(SHARES.sweep));
    const caughtUp = isReadAgain && isClosed && swept.behindMs === 0;
    return { caughtUp, sweep: { ...swept, neededAMinute: pagesAMinute + swept.neededAMinute } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { trouble: error };
  }
}
