import type { TimeRange } from '../time/time-range.ts';
import { bucketAt } from './buckets.ts';
import type { Chart, Series } from './chart.ts';
import { sumOfBuckets, totalOf } from './stack.ts';

/** A chart's contents in numbers, for its text. */
export interface ChartFacts {
  readonly failures: number;
  /** The first bar with the most failures; null if nothing failed. */
  readonly peak: { readonly failures: number; readonly at: TimeRange } | null;
  /** The first bar with a failure. See `end` for the last. */
  readonly start: TimeRange | null;
  readonly end: TimeRange | null;
  readonly events: number;
  readonly parts: readonly { readonly series: Series; readonly failures: number }[];
}

export function chartFacts({ buckets, series, events }: Chart): ChartFacts {
  const counts = barsOf(series);
  const most = Math.max(0, ...counts);
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  return {
    failures: totalOf(counts),
    peak: most === 0 ? null : { failures: most, at: bucketAt(buckets, counts.indexOf(most)) },
    start: first < 0 ? null : bucketAt(buckets, first),
    end: last < 0 ? null : bucketAt(buckets, last),
    events: totalOf(events.map((count) => count ?? 0)),
    parts: series.map((one) => ({ series: one, failures: totalOf(one.counts) })),
  };
}

/** Returns the height of each bar. */
export function barsOf(series: readonly Series[]): readonly number[] {
  return series.reduce<readonly number[]>((sum, { counts }) => sumOfBuckets(sum, counts), []);
}
