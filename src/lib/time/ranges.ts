import { max, min } from 'date-fns';
import type { TimeRange } from './time-range.ts';

export function lengthWithout(range: TimeRange, taken: readonly TimeRange[]): number {
  return withoutRanges(range, taken).reduce((sum, left) => sum + Math.max(0, lengthOf(left)), 0);
}

export function joinedRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const joined: TimeRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = joined.at(-1);
    if (last === undefined || range.from > last.to) joined.push(range);
    else if (range.to > last.to) joined[joined.length - 1] = { from: last.from, to: range.to };
  }
  return joined;
}

export const lengthOf = ({ from, to }: TimeRange): number => to.getTime() - from.getTime();

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

export function withoutRanges(window: TimeRange, taken: readonly TimeRange[]): TimeRange[] {
  if (taken.length === 0) return [window];
  const ranges = joinedRanges(taken);
  const starts = [window.from, ...ranges.map(({ to }) => max([to, window.from]))];
  const ends = [...ranges.map(({ from }) => min([from, window.to])), window.to];
  return starts.map((from, index) => ({ from, to: ends[index] ?? window.to })).filter((range) => lengthOf(range) > 0);
}

export function overlap(a: TimeRange, b: TimeRange): TimeRange | null {
  const [from, to] = [max([a.from, b.from]), min([a.to, b.to])];
  return from < to ? { from, to } : null;
}
