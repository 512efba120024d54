import { MINUTE_MS } from '../time/durations.ts';
import type { TimeRange } from '../time/time-range.ts';
import { bucketAt } from './buckets.ts';
import type { Buckets, Chart, Counted } from './chart.ts';
import { stacked } from './stack.ts';

/** Which part of a range was checked, and what was left out within it. */
export interface Checked {
  /** Null: nothing has been checked yet. */
  readonly coverage: TimeRange | null;
  readonly gaps: readonly TimeRange[];
}

/** A chart ends with the last check if the rest of its range is shorter than this, because the next check covers it. */
const TO_COME_MS = 5 * MINUTE_MS;

/** Returns the part of a range that a chart shows, without an end that is about to be checked. */
export function shownOf({ from, to }: TimeRange, { coverage }: Pick<Checked, 'coverage'>): TimeRange {
  if (coverage === null || coverage.to <= from) return { from, to };
  const isToCome = coverage.to < to && to.getTime() - coverage.to.getTime() < TO_COME_MS;
  return { from, to: isToCome ? coverage.to : to };
}

/** Makes the chart of the counts; unchecked time never counts as zero. */
export function makeChart(buckets: Buckets, counted: Counted, checked: Checked): Chart {
  const unchecked = uncheckedIn(buckets, checked);
  const events = Array.from({ length: buckets.count }, (_, index) =>
    isWithin(bucketAt(buckets, index), unchecked) ? null : (counted.events[index] ?? 0),
  );
  const marks = counted.marks
    .filter(({ at }) => at >= buckets.from && at <= buckets.to)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return { buckets, ...stacked(counted.groups, counted.rest), events, unchecked, marks };
}

/** In chronological order, without overlaps. */
function uncheckedIn({ from, to }: TimeRange, { coverage, gaps }: Checked): TimeRange[] {
  const around =
    coverage === null
      ? [{ from, to }]
      : [
          { from, to: coverage.from },
          { from: coverage.to, to },
        ];
  const clipped = [...around, ...gaps]
    .map((one) => ({ from: one.from > from ? one.from : from, to: one.to < to ? one.to : to }))
    .filter((one) => one.from < one.to)
    .sort((a, b) => a.from.getTime() - b.from.getTime());
  const merged: TimeRange[] = [];
  for (const next of clipped) {
    const last = merged.at(-1);
    if (last === undefined || next.from > last.to) merged.push(next);
    else merged[merged.length - 1] = { from: last.from, to: next.to > last.to ? next.to : last.to };
  }
  return merged;
}

function isWithin(one: TimeRange, ranges: readonly TimeRange[]): boolean {
  return ranges.some(({ from, to }) => from <= one.from && one.to <= to);
}
