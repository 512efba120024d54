import { joinedRanges } from './coverage.ts';
import type { TimeRange } from './time-range.ts';

export function lengthOf({ from, to }: TimeRange): number {
  return to.getTime() - from.getTime();
}

/** The older and the newer half, which meet at a whole unit (in milliseconds); null if there is none between the ends. */
export function halves({ from, to }: TimeRange, unitMs: number): [older: TimeRange, newer: TimeRange] | null {
  const first = (Math.floor(from.getTime() / unitMs) + 1) * unitMs;
  if (first >= to.getTime()) return null;
  const half = (from.getTime() + to.getTime()) / 2;
  const middle = new Date(Math.max(first, Math.floor(half / unitMs) * unitMs));
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/** What of a window is outside all `taken`, the oldest first, without what is only an end of theirs. */
export function withoutRanges(window: TimeRange, taken: readonly TimeRange[]): TimeRange[] {
  if (taken.length === 0) return [window];
  const left: TimeRange[] = [];
  let from = window.from;
  for (const range of joinedRanges(taken)) {
    left.push({ from, to: range.from < window.to ? range.from : window.to });
    if (range.to > from) from = range.to;
  }
  return [...left, { from, to: window.to }].filter((range) => lengthOf(range) > 0);
}

/** Returns the intersection of two windows, or null. */
export function shared(a: TimeRange, b: TimeRange): TimeRange | null {
  const from = a.from > b.from ? a.from : b.from;
  const to = a.to < b.to ? a.to : b.to;
  return from < to ? { from, to } : null;
}
