import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Buckets } from './chart.ts';

/** A picture as wide as a phone has room for so many bars that one can tell apart. */
export const MOST_BUCKETS = 72;

const LENGTHS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
];

/** The buckets of a stretch of time: the shortest lengths that clocks show, at most `MOST_BUCKETS`. The first begins up to a bucket earlier. */
export function bucketsOf({ from, to }: TimeRange): Buckets {
  const [bucketMs = DAY_MS] = LENGTHS.filter((length) => countOf(from, to, length) <= MOST_BUCKETS);
  return { from: startOf(from, bucketMs), to, bucketMs, count: countOf(from, to, bucketMs) };
}

/** The stretch of one bucket, counted from 0. */
export function bucketAt({ from, to, bucketMs }: Omit<Buckets, 'count'>, index: number): TimeRange {
  const begin = from.getTime() + index * bucketMs;
  return { from: new Date(begin), to: new Date(Math.min(begin + bucketMs, to.getTime())) };
}

function startOf(moment: Date, bucketMs: number): Date {
  return new Date(Math.floor(moment.getTime() / bucketMs) * bucketMs);
}

function countOf(from: Date, to: Date, bucketMs: number): number {
  return Math.max(1, Math.ceil((to.getTime() - startOf(from, bucketMs).getTime()) / bucketMs));
}

const SHORTEST_MS = 30 * MINUTE_MS;
const LONGEST_MS = 3 * DAY_MS;

/** The time that the chart of an incident shows: all of it with as much around it that one sees it begin and end, the last three days at most. */
export function rangeOfIncident(seen: { readonly firstSeen: Date; readonly lastSeen: Date }, now: Date): TimeRange {
  const first = seen.firstSeen.getTime();
  const last = Math.max(first, seen.lastSeen.getTime());
  const around = Math.max(SHORTEST_MS / 2, (last - first) / 5);
  const to = Math.min(now.getTime(), last + around);
  return { from: new Date(Math.max(first - around, to - LONGEST_MS)), to: new Date(to) };
}
