import { addMilliseconds, min, subMilliseconds } from 'date-fns';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

/** How far clocks can differ without losing an event. */
export const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS;

/** A list ends so far beyond the service's time, which is known to a second or two. */
const LIST_MARGIN_MS = 5_000;
/** While the service hasn't said its time, the clocks may differ by so much. */
const UNKNOWN_CLOCK_MS = HOUR_MS;

/** Where a list of all that there is now has to end, by the service's clock. */
export function listEnd(now: Date, clockAheadMs: number | null): Date {
  return addMilliseconds(now, Math.max(0, clockAheadMs ?? UNKNOWN_CLOCK_MS) + LIST_MARGIN_MS);
}

/** Where a list of all since a time of ours has to begin, by the service's clock. */
export function listStart(since: Date, clockAheadMs: number | null): Date {
  return addMilliseconds(since, Math.min(0, clockAheadMs ?? -UNKNOWN_CLOCK_MS) - CLOCK_TOLERANCE_MS);
}

export function byServiceClock(time: Date, clockAheadMs: number | null): Date {
  return addMilliseconds(time, clockAheadMs ?? 0);
}

/** How far the service's clock is behind ours. */
export const lagMs = (clockAheadMs: number | null): number => Math.max(0, -(clockAheadMs ?? 0));

/** For comparing with failures: those dated into our future count as of when they were seen. */
export function byLaggingClock(time: Date, clockAheadMs: number | null): Date {
  return subMilliseconds(time, lagMs(clockAheadMs));
}

/** How far the service dates things into our future; null: it doesn't. */
export function datedAhead(times: readonly (Date | null)[], now: Date): number | null {
  const leads = times.map((time) => (time ?? now).getTime() - now.getTime());
  // What is days ahead is an odd date, and says nothing of the clock.
  const ms = Math.max(0, ...leads.filter((lead) => lead < DAY_MS));
  return ms < MINUTE_MS ? null : ms;
}

export interface ReadState {
  checkedTo: Date;
  clockAheadMs: number | null;
}

export function presentRead({ checkedTo, clockAheadMs }: ReadState, now: Date): Date {
  return min([checkedTo, byLaggingClock(now, clockAheadMs)]);
}

/** The `Date` header has whole seconds, and a response takes a moment. */
const BLUR_MS = 2_000;

/** By how much the service's clock, which dated an answer, is ahead of ours; null: the answer has no date. */
export function clockAhead(date: string | null, askedAt: number, answeredAt: number): number | null {
  const stated = Date.parse(date ?? '');
  if (Number.isNaN(stated)) return null;
  // Half a second is cut off on average, and the answer was dated halfway.
  const ahead = Math.round(stated + 500 - (askedAt + answeredAt) / 2);
  return Math.abs(ahead) < BLUR_MS + (answeredAt - askedAt) / 2 ? 0 : ahead;
}
