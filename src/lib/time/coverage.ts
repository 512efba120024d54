import { max, min } from 'date-fns';
import { MINUTE_MS } from './durations.ts';
import type { TimeRange } from './time-range.ts';

export interface Checked {
  /** Null: nothing has been checked yet. */
  readonly coverage: TimeRange | null;
  readonly gaps: readonly TimeRange[];
}

/** What is shown ends with the last check if the rest of its range is shorter than this, because the next check covers it. */
const TO_COME_MS = 5 * MINUTE_MS;

export function shownOf({ from, to }: TimeRange, { coverage }: Pick<Checked, 'coverage'>): TimeRange {
  if (coverage === null || coverage.to <= from) return { from, to };
  const isToCome = coverage.to < to && to.getTime() - coverage.to.getTime() < TO_COME_MS;
  return { from, to: isToCome ? coverage.to : to };
}

/** In chronological order, without overlaps. */
export function uncheckedIn({ from, to }: TimeRange, { coverage, gaps }: Checked): TimeRange[] {
  const around =
    coverage === null
      ? [{ from, to }]
      : [
          { from, to: coverage.from },
          { from: coverage.to, to },
        ];
  const clipped = [...around, ...gaps]
    .map((range) => ({ from: max([range.from, from]), to: min([range.to, to]) }))
    .filter((range) => range.from < range.to);
  return joinedRanges(clipped);
}

/** Returns how much of a range was checked, in milliseconds, where `unchecked` wasn't; 0 if the range ends before it begins. */
export function checkedMs(range: TimeRange, unchecked: readonly TimeRange[]): number {
  const left = uncheckedIn(range, { coverage: range, gaps: unchecked });
  const leftMs = left.reduce((sum, { from, to }) => sum + to.getTime() - from.getTime(), 0);
  return Math.max(0, range.to.getTime() - range.from.getTime() - leftMs);
}

/** The oldest first. */
export function joinedRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const runs: TimeRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = runs.at(-1);
    if (last === undefined || range.from > last.to) runs.push(range);
    else if (range.to > last.to) runs[runs.length - 1] = { from: last.from, to: range.to };
  }
  return runs;
}
