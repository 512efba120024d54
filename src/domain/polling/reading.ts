import { addMilliseconds, subMilliseconds } from 'date-fns';
import type { TimeRange } from '../time/time-range.ts';

/** How far back an environment is covered at first start. */
export const FIRST_COVERAGE_MS = 60 * 60_000;

/** An event may appear in the list after others created later (it comes off a queue), so windows overlap by this much. */
export const OVERLAP_MS = 60_000;

/** How far our clock and the service's can differ without losing an event. */
export const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** How much a poll reads first, whatever was missed before, so that the past never delays the present. */
const PRESENT_MS = 15 * 60_000;

/** A poll comes a little late, and takes a while. */
const POLL_MS = 60_000;

/** Returns the longest time between two polls in which at most one was left out or failed, in milliseconds. */
export function longestBetweenPolls(pollMs: number): number {
  return 2 * pollMs + POLL_MS;
}

/** How far an environment has been read. */
export interface ReadTo {
  /** Everything created from here until `checkedTo` was read, except for gaps. Equal to `checkedTo` before anything was read. */
  readonly coveredFrom: Date;
  readonly checkedTo: Date;
  /**
   * `createdAt` of the newest event that a finished poll has read, by the service's clock. One that a recheck or an unfinished poll has seen
   * doesn't count: others created before it may be unread.
   */
  readonly newestEventAt: Date | null;
  /** When the last poll that succeeded began, by our clock; null before the first. */
  readonly lastSuccessAt: Date | null;
}

export interface PollPlan {
  /** What the poll reads first. */
  readonly present: TimeRange;
  /** The range between that and what was read before. It is too long for a poll and becomes a gap. */
  readonly missed: TimeRange | null;
}

/**
 * Plans what a poll reads whose end is `to` (`endOfPoll`), where polls are `pollMs` apart. It reaches back to the newest event seen, by the
 * service's own clock, so that a service's clock up to ten minutes behind ours does no harm. `aheadMs`: by how much the service's clock has been
 * ahead of ours since the last poll, as far as known; if it was set, by more than one difference. The very first hour is read in one pass.
 */
export function planPoll(cursor: ReadTo, to: Date, pollMs: number, aheadMs: readonly number[] = []): PollPlan {
  const from = overlapped(cursor, to, aheadMs);
  const hasRead = cursor.checkedTo > cursor.coveredFrom;
  const present = Math.max(PRESENT_MS, longestBetweenPolls(pollMs));
  const longest = hasRead ? present : FIRST_COVERAGE_MS + present;
  if (to.getTime() - cursor.checkedTo.getTime() <= longest) return { present: { from, to }, missed: null };
  const presentFrom = subMilliseconds(to, PRESENT_MS);
  return { present: { from: presentFrom, to }, missed: { from, to: presentFrom } };
}

/** Returns the end of a window where the list may show an event only after `askedAt`, by the service's clock. Null: there is none. */
export function lateListed(window: TimeRange, askedAt: Date): TimeRange | null {
  const from = new Date(Math.max(window.from.getTime(), askedAt.getTime() - OVERLAP_MS));
  return from < window.to ? { from, to: window.to } : null;
}

/** Returns when the list shows all that was created until a time, by the same clock. */
export function listedBy(time: Date): Date {
  return addMilliseconds(time, OVERLAP_MS);
}

/**
 * Before an event was seen nothing says how far the service's clock is behind. What was created since the last poll isn't dated before the
 * service's time at that poll, by any difference since: a service's clock that was set back dates it before `checkedTo` and the newest event.
 */
function overlapped(
  { coveredFrom, checkedTo, newestEventAt, lastSuccessAt }: ReadTo,
  to: Date,
  aheadMs: readonly number[],
): Date {
  const end = Math.min(checkedTo.getTime(), to.getTime());
  const unknown = checkedTo > coveredFrom ? Number.NEGATIVE_INFINITY : end;
  const newest = newestEventAt?.getTime() ?? unknown;
  const since = lastSuccessAt === null ? [] : aheadMs.map((ahead) => byServiceClock(lastSuccessAt, ahead).getTime());
  return new Date(Math.min(end, Math.max(newest, end - CLOCK_TOLERANCE_MS), ...since) - OVERLAP_MS);
}

/**
 * Returns where a poll's reading ends: pinned, so that new events don't push others from page to page. If the service's clock is ahead of
 * ours, by its own report (`clockAheadMs`; null: it doesn't say), it has events in our future, which are read now instead of when we get
 * there.
 */
export function endOfPoll(now: Date, clockAheadMs: number | null): Date {
  return addMilliseconds(now, Math.max(0, tolerated(clockAheadMs)));
}

/** `Date` has whole seconds, and a smaller difference counts as none, so the service's clock may be this much further ahead. */
const LIST_MARGIN_MS = 5_000;

/** How far beyond a list's ends the service's clock may be before the service has said what time it is. */
const UNKNOWN_CLOCK_MS = 60 * 60_000;

/**
 * Returns the end of a list that shows somebody what there is now: pinned like a poll's (`endOfPoll`), but however far the service's clock
 * is ahead. An event that is created while the list is read may be on two of its pages.
 */
export function listEnd(now: Date, clockAheadMs: number | null): Date {
  return addMilliseconds(now, Math.max(0, clockAheadMs ?? UNKNOWN_CLOCK_MS) + LIST_MARGIN_MS);
}

/**
 * Returns the start of a list of what was created since a time of our clock, however far the service's clock is behind: the tolerance is
 * for what has changed since in the difference.
 */
export function listStart(since: Date, clockAheadMs: number | null): Date {
  return addMilliseconds(since, Math.min(0, clockAheadMs ?? -UNKNOWN_CLOCK_MS) - CLOCK_TOLERANCE_MS);
}

/**
 * Returns the time of our clock at a time that the service states, so that an age is measured by one clock. `clockAheadMs`: how far the
 * service's is ahead of ours; null: it doesn't say. A difference beyond the tolerance counts as the tolerance.
 */
export function byOurClock(time: Date, clockAheadMs: number | null): Date {
  return subMilliseconds(time, tolerated(clockAheadMs));
}

/** The inverse of `byOurClock`: returns the service's time at a time of our clock. */
export function byServiceClock(time: Date, clockAheadMs: number | null): Date {
  return addMilliseconds(time, tolerated(clockAheadMs));
}

/** Returns the service's time before which nothing is read: so long before now. */
export function horizonAt(now: Date, clockAheadMs: number | null, horizonMs: number): Date {
  return new Date(byServiceClock(now, clockAheadMs).getTime() - horizonMs);
}

/** Returns how far the service's dates are ahead of our clock, at most 0: what it dates into our future counts as of when it was seen. */
export function datedAheadMs(clockAheadMs: number | null): number {
  return Math.min(0, tolerated(clockAheadMs));
}

function tolerated(clockAheadMs: number | null): number {
  return Math.max(-CLOCK_TOLERANCE_MS, Math.min(clockAheadMs ?? 0, CLOCK_TOLERANCE_MS));
}
