import { MINUTE_MS } from '../domain/time/durations.ts';
import type { Threshold } from '../watches/settings.ts';

/** Counts by minute; the key is the minute's first millisecond since 1970. */
export type ByMinute = ReadonlyMap<number, number>;

/** Failures by the minute in which they occurred, and their workflows' events by the minute of creation. */
export interface Minutes {
  readonly failures: ByMinute;
  readonly events: ByMinute;
  /** By the minute of failures, the earlier minutes in which their events were created, if that is known; `events` has those too. */
  readonly created?: ReadonlyMap<number, readonly number[]>;
}

/**
 * Returns whether a window of `withinMs` that ends with a minute of failures has as many of them as the threshold requires and, with a
 * rate, at least that share of their workflows' events: those of these minutes or, if there are more, those of the minutes in which the
 * failed events were created. Otherwise one bounce of a newsletter would be all of its events in the hour after.
 * Minutes count whole; a window has at least one.
 */
export function isReached({ failures, withinMs, rate }: Threshold, minutes: Minutes): boolean {
  const ends = [...minutes.failures.keys()].sort((a, b) => a - b);
  const sums = sumsUpTo(ends, minutes.failures, withinMs);
  const reaching = ends.flatMap((minute, index) => {
    const failed = sums[index] ?? 0;
    return failed < failures ? [] : [{ minute, failed }];
  });
  if (rate === null) return reaching.length > 0;
  const events = sumsUpTo(
    reaching.map(({ minute }) => minute),
    minutes.events,
    withinMs,
  );
  return reaching.some(
    ({ minute, failed }, index) =>
      failed >= rate * Math.max(events[index] ?? 0, eventsOfFailures(minute, withinMs, minutes)),
  );
}

function eventsOfFailures(last: number, withinMs: number, { events, created }: Minutes): number {
  const within = [...(created ?? [])].filter(([minute]) => minute <= last && !isBefore(minute, last, withinMs));
  const minutes = new Set(within.flatMap(([, earlier]) => earlier));
  return [...minutes].reduce((sum, minute) => sum + (events.get(minute) ?? 0), 0);
}

/** `ends` ascend. */
function sumsUpTo(ends: readonly number[], counts: ByMinute, withinMs: number): number[] {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  let [first, next, sum] = [0, 0, 0];
  return ends.map((end) => {
    for (; (sorted[next]?.[0] ?? Number.POSITIVE_INFINITY) <= end; next += 1) sum += sorted[next]?.[1] ?? 0;
    for (; isBefore(sorted[first]?.[0] ?? end, end, withinMs); first += 1) sum -= sorted[first]?.[1] ?? 0;
    return sum;
  });
}

function isBefore(minute: number, last: number, withinMs: number): boolean {
  return minute <= last - lengthOf(withinMs);
}

function lengthOf(withinMs: number): number {
  return Math.max(1, Math.ceil(withinMs / MINUTE_MS)) * MINUTE_MS;
}
