import type { TimeRange } from '../time/time-range.ts';

/** At first start an environment is covered from an hour back. */
export const FIRST_COVERAGE_MS = 60 * 60_000;

/** An event may appear in the list after others that were created later (it comes off a queue): windows overlap by this. */
const OVERLAP_MS = 60_000;

/** How far our clock and the service's may differ without an event being lost. */
export const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** What is read first in a round, whatever was missed before: the present is never held up by the past. */
const PRESENT_MS = 15 * 60_000;

/** How far an environment has been read. */
export interface ReadTo {
  /** Up to `readTo` everything created from here on was read, but for what gaps say. Equal to it before anything was read. */
  readonly coveredFrom: Date;
  readonly readTo: Date;
  /** `createdAt` of the newest event read, by the service's clock. */
  readonly newestEventAt: Date | null;
}

export interface PollPlan {
  /** What the round reads first. */
  readonly present: TimeRange;
  /** What lies between that and what was read before: too long for a round, it becomes a gap. */
  readonly missed: TimeRange | null;
}

/**
 * What a poll reads that has `to` as its end (`endOfPoll`). It reaches back to the newest event seen, by the service's own clock, so
 * that a clock of the service that is up to ten minutes behind ours costs nothing. The first hour of all is read in one go.
 */
export function planPoll(cursor: ReadTo, to: Date): PollPlan {
  const from = overlapped(cursor, to);
  const hasRead = cursor.readTo > cursor.coveredFrom;
  const longest = hasRead ? PRESENT_MS : FIRST_COVERAGE_MS + PRESENT_MS;
  if (to.getTime() - cursor.readTo.getTime() <= longest) return { present: { from, to }, missed: null };
  const presentFrom = new Date(to.getTime() - PRESENT_MS);
  return { present: { from: presentFrom, to }, missed: { from, to: presentFrom } };
}

/** Before an event was seen nothing says how far the service's clock is behind. */
function overlapped({ coveredFrom, readTo, newestEventAt }: ReadTo, to: Date): Date {
  const end = Math.min(readTo.getTime(), to.getTime());
  const unknown = readTo > coveredFrom ? Number.NEGATIVE_INFINITY : end;
  const newest = newestEventAt?.getTime() ?? unknown;
  return new Date(Math.min(end, Math.max(newest, end - CLOCK_TOLERANCE_MS)) - OVERLAP_MS);
}

/**
 * Where a round's reading ends: pinned, so that new events do not push others from page to page. A clock of the service that is ahead
 * of ours, by its own word (`clockAheadMs`, null: it does not say), has events in our future: they are read now, not when we get there.
 */
export function endOfPoll(now: Date, clockAheadMs: number | null): Date {
  const ahead = Math.min(Math.max(clockAheadMs ?? 0, 0), CLOCK_TOLERANCE_MS);
  return new Date(now.getTime() + ahead);
}
