import { MINUTE_MS } from '../time/durations.ts';
import type { Threshold } from '../watches/watch.ts';

/** How many of something there were in each minute; the key is the minute's first millisecond since 1970. */
export type ByMinute = ReadonlyMap<number, number>;

/** A group's failures by the minute in which they occurred, and the events of its workflow by the minute of their creation. */
export interface Minutes {
  readonly failures: ByMinute;
  readonly events: ByMinute;
}

/**
 * Whether in some stretch of `withinMs`, up to a minute in which the group failed, it failed as often as the threshold asks and, with
 * a rate, at least that share of its workflow's events of these minutes failed. Minutes count whole; a stretch has at least one.
 */
export function isReached({ failures, withinMs, rate }: Threshold, minutes: Minutes): boolean {
  const ends = [...minutes.failures.keys()].sort((a, b) => a - b);
  const sums = sumsUpTo(ends, minutes.failures, withinMs);
  const reaching = ends.flatMap((minute, index) => {
    const failed = sums[index] ?? 0;
    return failed < failures ? [] : [{ minute, failed }];
  });
  if (rate === null || reaching.length === 0) return reaching.length > 0;
  const events = sumsUpTo(
    reaching.map(({ minute }) => minute),
    minutes.events,
    withinMs,
  );
  return reaching.some(({ failed }, index) => failed >= rate * (events[index] ?? 0));
}

/** How many there were in each of the stretches that end with `ends`, which ascend. */
function sumsUpTo(ends: readonly number[], counts: ByMinute, withinMs: number): number[] {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  let [first, next, sum] = [0, 0, 0];
  return ends.map((end) => {
    for (; (sorted[next]?.[0] ?? Number.POSITIVE_INFINITY) <= end; next += 1) sum += sorted[next]?.[1] ?? 0;
    for (; first < next && isBefore(sorted[first]?.[0] ?? end, end, withinMs); first += 1)
      sum -= sorted[first]?.[1] ?? 0;
    return sum;
  });
}

/** Whether a minute lies before the stretch of whole minutes that ends with `last`. */
function isBefore(minute: number, last: number, withinMs: number): boolean {
  return minute <= last - Math.max(1, Math.ceil(withinMs / MINUTE_MS)) * MINUTE_MS;
}
