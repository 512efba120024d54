import { type Checked, uncheckedIn } from '../time/coverage.ts';
import type { TimeRange } from '../time/time-range.ts';
import { bucketAt } from './buckets.ts';
import type { Buckets, Chart, Counted } from './chart.ts';
import { stacked } from './stack.ts';

/** Makes the chart of the counts; unchecked time never counts as zero. */
export function makeChart(buckets: Buckets, counted: Counted, checked: Checked): Chart {
  const unchecked = uncheckedIn(buckets, checked);
  const events = Array.from({ length: buckets.count }, (_, index) =>
    isWithin(bucketAt(buckets, index), unchecked) ? null : (counted.events[index] ?? 0),
  );
  const marks = counted.marks
    .filter(({ at }) => at >= buckets.from && at <= buckets.to)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return {
    buckets,
    ...stacked(counted.groups, counted.rest),
    events,
    unreadable: counted.unreadable,
    unchecked,
    marks,
  };
}

function isWithin(one: TimeRange, ranges: readonly TimeRange[]): boolean {
  return ranges.some(({ from, to }) => from <= one.from && one.to <= to);
}
