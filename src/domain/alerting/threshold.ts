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
  const failed = sumsUpTo(minutes.failures, withinMs);
  return failed.some(({ minute, sum }) => {
    if (sum < failures) return false;
    return rate === null || sum >= rate * sumWithin(minutes.events, minute, withinMs);
  });
}

/** For each minute that has some: how many there were in the stretch that ends with it. */
function sumsUpTo(counts: ByMinute, withinMs: number): { readonly minute: number; readonly sum: number }[] {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  let first = 0;
  let sum = 0;
  return sorted.map(([minute, count]) => {
    sum += count;
    for (; isBefore(sorted[first]?.[0] ?? minute, minute, withinMs); first += 1) sum -= sorted[first]?.[1] ?? 0;
    return { minute, sum };
  });
}

function sumWithin(counts: ByMinute, last: number, withinMs: number): number {
  const within = [...counts].filter(([minute]) => minute <= last && !isBefore(minute, last, withinMs));
  return within.reduce((sum, [, count]) => sum + count, 0);
}

/** Whether a minute lies before the stretch of whole minutes that ends with `last`. */
function isBefore(minute: number, last: number, withinMs: number): boolean {
  return minute <= last - Math.max(1, Math.ceil(withinMs / MINUTE_MS)) * MINUTE_MS;
}
