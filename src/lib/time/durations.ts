import { compareAsc, max, min } from 'date-fns';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

export const minuteOf = (time: Date) => new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);

const UNITS = new Map(Object.entries({ s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS }));

export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,6}\s?(?:min|[smhdw])\s?)+$/i.test(text)) return null;
  const amounts = [...text.toLowerCase().matchAll(/(\d+)\s?(\w)/g)];
  return amounts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS.get(unit) ?? 0), 0);
}

export function describeDuration(ms: number) {
  const named = [[DAY_MS, 'd'] as const, [HOUR_MS, 'h'] as const, [MINUTE_MS, 'min'] as const];
  const whole = Math.round(Math.max(0, ms) / SECOND_MS) * SECOND_MS;
  const [size, name] = named.find(([unitMs]) => whole >= 2 * unitMs || whole === unitMs) ?? [SECOND_MS, 's'];
  return `${Math.round(whole / size)} ${name}`;
}

/** A person's range includes both ends; slices and windows end before `to`. */
export interface TimeRange {
  from: Date;
  to: Date;
}

export function lengthWithout(range: TimeRange, taken: readonly TimeRange[]) {
  return withoutRanges(range, taken).reduce((sum, left) => sum + Math.max(0, lengthOf(left)), 0);
}

export function joinedRanges(ranges: readonly TimeRange[]) {
  const joined: TimeRange[] = [];
  for (const range of ranges.toSorted((a, b) => compareAsc(a.from, b.from))) {
    const last = joined.at(-1);
    if (last === undefined || range.from > last.to) joined.push(range);
    else if (range.to > last.to) joined[joined.length - 1] = { from: last.from, to: range.to };
  }
  return joined;
}

export const lengthOf = ({ from, to }: TimeRange) => to.getTime() - from.getTime();

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

export function withoutRanges(window: TimeRange, taken: readonly TimeRange[]) {
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
