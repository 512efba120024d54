import { addMilliseconds, subMilliseconds } from 'date-fns';
import { joinedRanges } from '../time/coverage.ts';
import { SECOND_MS } from '../time/durations.ts';
import type { TimeRange } from '../time/time-range.ts';

export function lengthOf({ from, to }: TimeRange): number {
  return to.getTime() - from.getTime();
}

/** Returns the older and the newer half, which meet at a whole second; null if there is no whole second between the ends. */
export function halves(window: TimeRange): { readonly older: TimeRange; readonly newer: TimeRange } | null {
  const [from, to] = [window.from.getTime(), window.to.getTime()];
  const first = (Math.floor(from / SECOND_MS) + 1) * SECOND_MS;
  if (first >= to) return null;
  const middle = new Date(Math.max(first, Math.floor((from + to) / 2 / SECOND_MS) * SECOND_MS));
  return { older: { from: window.from, to: middle }, newer: { from: middle, to: window.to } };
}

/** `after` and `before` may exclude their own moment and its fractions (contract), so a window is asked for with this much around it. */
const PADDING_MS = 1000;

/** Extends a window a little beyond both ends, since the bounds of a list may be exclusive. */
export function padded({ from, to }: TimeRange, byMs = PADDING_MS): TimeRange {
  return { from: subMilliseconds(from, byMs), to: addMilliseconds(to, byMs) };
}

/** Returns the parts of a window outside all `taken`, the oldest first, without parts that are only an end of theirs. */
export function withoutRanges(window: TimeRange, taken: readonly TimeRange[]): TimeRange[] {
  if (taken.length === 0) return [window];
  const parts: TimeRange[] = [];
  let from = window.from;
  for (const range of joinedRanges(taken)) {
    parts.push({ from, to: range.from < window.to ? range.from : window.to });
    if (range.to > from) from = range.to;
  }
  return [...parts, { from, to: window.to }].filter((part) => lengthOf(part) > 0);
}

/** Returns the intersection of two windows, or null. */
export function shared(a: TimeRange, b: TimeRange): TimeRange | null {
  const from = a.from > b.from ? a.from : b.from;
  const to = a.to < b.to ? a.to : b.to;
  return from < to ? { from, to } : null;
}
