import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Buckets } from './chart.ts';

/** The most bars that can be distinguished in a picture as wide as a phone. */
export const MOST_BUCKETS = 72;

const LENGTHS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
];

/** Returns a range's buckets: the shortest lengths used on clocks, at most `MOST_BUCKETS`. The first begins up to a bucket early. */
export function bucketsOf({ from, to }: TimeRange): Buckets {
  const [bucketMs = DAY_MS] = LENGTHS.filter((length) => countOf(from, to, length) <= MOST_BUCKETS);
  return { from: startOf(from, bucketMs), to, bucketMs, count: countOf(from, to, bucketMs) };
}

/** Returns the time range of one bucket, counted from 0. */
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

/** Returns the range of an incident's chart: all of it, with enough around it to see it begin and end, at most the last three days. */
export function rangeOfIncident(seen: { readonly firstSeen: Date; readonly lastSeen: Date }, now: Date): TimeRange {
  const first = seen.firstSeen.getTime();
  const last = Math.max(first, seen.lastSeen.getTime());
  const around = Math.max(SHORTEST_MS / 2, (last - first) / 5);
  const to = Math.min(now.getTime(), last + around);
  return { from: new Date(Math.max(first - around, to - LONGEST_MS)), to: new Date(to) };
}
