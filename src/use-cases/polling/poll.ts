import { addMilliseconds, subMilliseconds } from 'date-fns';
import { ServiceError, type ServiceProblem } from '../../domain/errors.ts';
import { causeOfGap, partsLeft, partsToRead, type Unchecked } from '../../domain/polling/gap.ts';
import { endOfPoll, FIRST_COVERAGE_MS, horizonAt, type PollPlan, planPoll } from '../../domain/polling/reading.ts';
import { withoutRanges } from '../../domain/polling/reading-windows.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Page } from '../../domain/service/query.ts';
import { joinedRanges } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { readRange } from './read-range.ts';
import { type Cursor, clockAheadOf, type ReadingParts, recordEvents, type SetAside } from './record-events.ts';
import { emptySum, noteWait, recordedIn, type Sum, type Summed } from './sum.ts';

export interface ReadingReport extends Summed {
  readonly checkedTo: Date;
  /** Whether the present was read until `checkedTo`; false when the signal ended it. */
  readonly isDone: boolean;
  /** Whether the past has something to check at once: a stretch was set aside, or this was the very first poll. */
  readonly recheckNow: boolean;
  readonly clockAheadMs: number | null;
}

/**
 * Reads new events of an environment since its cursor. Throws the client's `ServiceError` if it can't be read, leaving the cursor
 * unchanged, and `FencedOffError` if another reader took the cursor meanwhile. What was recorded until then stays.
 */
export async function poll(environment: string, parts: ReadingParts): Promise<ReadingReport> {
  const started = parts.now();
  const cursor = await parts.store.takeCursor(environment, subMilliseconds(started, FIRST_COVERAGE_MS));
  const sum = emptySum();
  try {
    const present = await readPresent(cursor, started, parts, sum);
    return {
      ...recordedIn(sum),
      checkedTo: present?.to ?? cursor.checkedTo,
      isDone: present !== null,
      recheckNow: present?.recheckNow ?? false,
      clockAheadMs: parts.service.clockAheadMs(),
    };
  } catch (error) {
    if (error instanceof ServiceError) await parts.store.noteTrouble(cursor, error.problem, parts.now());
    throw error;
  } finally {
    await endPresent(cursor, parts);
  }
}

/** Announcing waits briefly while a poll records, so it has to know when that is over. */
async function endPresent(cursor: Cursor, { store, logger }: ReadingParts): Promise<void> {
  try {
    await store.endPresent(cursor);
  } catch (err) {
    logger.warn(
      { environment: cursor.environment, err },
      'the end of a poll could not be noted: alerts come a moment later',
    );
  }
}

interface PresentRange {
  readonly to: Date;
  readonly recheckNow: boolean;
}

const LEAST_FOR_PRESENT_MS = 2 * 60_000;

/** Returns the longest that a poll reads the present, which grows with the poll interval; a service too slow for that leaves a gap. */
function longestPresentMs(pollMs: number): number {
  return Math.max(LEAST_FOR_PRESENT_MS, pollMs / 10);
}

/** Null if the signal ended it; the poll then isn't concluded. */
async function readPresent(cursor: Cursor, now: Date, parts: ReadingParts, sum: Sum): Promise<PresentRange | null> {
  const ahead = clockAheadOf(cursor, parts.service);
  const to = endOfPoll(now, ahead);
  const planned = () =>
    planPoll(cursor, to, parts.pollMs, known([cursor.clockAheadMs, ahead, parts.service.clockAheadMs()]));
  const first = planned();
  const until = addMilliseconds(now, longestPresentMs(parts.pollMs));
  const unchecked = await readOutsideGaps(first.present, until, cursor, parts, sum);
  noteWait(sum, unchecked);
  if (parts.signal.aborted) return null;
  // The answers may have said that the service's clock was set back since the last poll.
  const plan = planned();
  const { present } = plan;
  if (present.from < first.present.from) {
    const earlier = { from: present.from, to: first.present.from };
    unchecked.push(...(await readOutsideGaps(earlier, until, cursor, parts, sum)));
    noteWait(sum, unchecked);
  }
  if (parts.signal.aborted) return null;
  const { pollMs, horizonMs } = parts;
  const missed = missedStretch(cursor, plan, { now, pollMs, horizon: horizonAt(now, ahead, horizonMs) });
  const setAside = [...missed, ...uncheckedStretch(unchecked, now)];
  const clockAheadMs = parts.service.clockAheadMs();
  const { newestEventAt } = sum;
  const problem = sum.newEvents === 0 ? problemOf(unchecked) : null;
  await parts.store.finishPresent(cursor, { to: present.to, setAside, clockAheadMs, newestEventAt, problem }, now);
  for (const { from, to, cause } of setAside) {
    parts.logger.warn({ environment: cursor.environment, from, to, cause }, 'part of the list set aside');
  }
  return { to: present.to, recheckNow: setAside.length > 0 || cursor.checkedTo <= cursor.coveredFrom };
}

/** Reads and records the parts of a range in no gap, the newest first. Returns what is left. Throws `ServiceError` if no page was read. */
async function readOutsideGaps(
  range: TimeRange,
  until: Date,
  cursor: Cursor,
  parts: ReadingParts,
  sum: Sum,
): Promise<Unchecked[]> {
  const onPage = async (page: Page<TriggeredEvent>) => {
    sum.pages += 1;
    await recordEvents(cursor, page, parts, sum);
  };
  const inGaps = await parts.store.gapsWithin(cursor.environment, range);
  const windows = withoutRanges(range, inGaps).reverse();
  const unchecked: Unchecked[] = [];
  for (const [index, window] of windows.entries()) {
    try {
      unchecked.push(...(await readRange(window, { onPage, until, keepsProgress: true }, parts)));
    } catch (error) {
      // What this poll has recorded stays, as in `readRange`, which knows only its own window.
      if (!(error instanceof ServiceError) || sum.pages === 0) throw error;
      return [...unchecked, ...windows.slice(index).map((left) => ({ window: left, problem: error.problem }))];
    }
    if (parts.signal.aborted) break;
  }
  return unchecked;
}

function known(aheadMs: readonly (number | null)[]): readonly number[] {
  return aheadMs.filter((ahead) => ahead !== null);
}

/** Returns the exact time range that was missed. It is read with an overlap, and the present has been read already. */
function missedStretch(
  cursor: Cursor,
  { missed, present }: PollPlan,
  { now, pollMs, horizon }: { readonly now: Date; readonly pollMs: number; readonly horizon: Date },
): SetAside[] {
  if (missed === null) return [];
  const parts = partsToRead(missed, 0, now, horizon);
  return [{ from: cursor.checkedTo, to: present.to, ...causeOfGap(cursor, now, pollMs), parts }];
}

function problemOf(unchecked: readonly Unchecked[]): ServiceProblem | null {
  return unchecked.find((part) => part.problem !== null)?.problem ?? null;
}

function uncheckedStretch(unchecked: readonly Unchecked[], now: Date): SetAside[] {
  const [first, ...others] = joinedRanges(unchecked.map(({ window }) => window));
  if (first === undefined) return [];
  const problem = problemOf(unchecked);
  const to = others.at(-1)?.to ?? first.to;
  return [{ from: first.from, to, cause: problem?.kind ?? 'too-much', problem, parts: partsLeft(unchecked, 0, now) }];
}
