import { compareAsc, max, min } from 'date-fns';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

export const minuteOf = (time: Date): Date => new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);

const UNITS = new Map(Object.entries({ s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS }));

/** Returns the milliseconds of `1h 30m`, or null for other text. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,6}\s?(?:min|[smhdw])\s?)+$/i.test(text)) return null;
  const amounts = [...text.toLowerCase().matchAll(/(\d+)\s?(\w)/g)];
  return amounts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS.get(unit) ?? 0), 0);
}

/** In the largest unit of which it has at least two, or exactly one: `90 min`, `1 h`. */
export function describeDuration(ms: number): string {
  const units = [[DAY_MS, 'd'] as const, [HOUR_MS, 'h'] as const, [MINUTE_MS, 'min'] as const];
  const whole = Math.round(Math.max(0, ms) / SECOND_MS) * SECOND_MS;
  const [size, name] = units.find(([unitMs]) => whole >= 2 * unitMs || whole === unitMs) ?? [SECOND_MS, 's'];
  return `${Math.round(whole / size)} ${name}`;
}

/** A person's range includes `to`; slices and windows end before it. */
export interface TimeRange {
  from: Date;
  to: Date;
}

export function lengthWithout(range: TimeRange, excluded: readonly TimeRange[]): number {
  return withoutRanges(range, excluded).reduce((sum, left) => sum + Math.max(0, lengthOf(left)), 0);
}

export function joinedRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const joined: TimeRange[] = [];
  for (const range of ranges.toSorted((a, b) => compareAsc(a.from, b.from))) {
    const last = joined.at(-1);
    if (last === undefined || range.from > last.to) joined.push(range);
    else if (range.to > last.to) joined[joined.length - 1] = { from: last.from, to: range.to };
  }
  return joined;
}

export const lengthOf = ({ from, to }: TimeRange): number => to.getTime() - from.getTime();

/** Splits a range near its middle, at a multiple of the unit. Null: it has none inside. */
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

export function withoutRanges(whole: TimeRange, excluded: readonly TimeRange[]): TimeRange[] {
  if (excluded.length === 0) return [whole];
  const ranges = joinedRanges(excluded);
  const starts = [whole.from, ...ranges.map(({ to }) => max([to, whole.from]))];
  const ends = [...ranges.map(({ from }) => min([from, whole.to])), whole.to];
  return starts.map((from, index) => ({ from, to: ends[index] ?? whole.to })).filter((range) => lengthOf(range) > 0);
}

export function overlap(a: TimeRange, b: TimeRange): TimeRange | null {
  const [from, to] = [max([a.from, b.from]), min([a.to, b.to])];
  return from < to ? { from, to } : null;
}

export const formatUtc = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
