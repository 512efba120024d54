import { tz } from '@date-fns/tz';
import { compareAsc, formatISO, max, min, parseISO, subDays, subMilliseconds } from 'date-fns';
import { FilterError, type FilterMap, onlyValue } from '../input/filters.ts';
import { nextWallClock } from './wall-clock.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

export const minuteOf = (time: Date): Date => new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);

const UNITS = new Map(Object.entries({ s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS }));

export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,6}\s?(?:min|[smhdw])\s?)+$/i.test(text)) return null;
  const amounts = [...text.toLowerCase().matchAll(/(\d+)\s?(\w)/g)];
  return amounts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS.get(unit) ?? 0), 0);
}

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

/** A day as `until` is included, but since:yesterday until:today is yesterday. */
export function parseTimeRange(
  filters: Pick<FilterMap, 'since' | 'until'>,
  now: Date,
  options: { durationMs: number; maxDays?: number; timeZone?: string; older?: string },
): TimeRange {
  const { durationMs, maxDays = 30, timeZone = 'UTC', older } = options;
  const [since, until] = [onlyValue('since', filters), onlyValue('until', filters)];
  const end = until === undefined ? { at: now, isDay: false } : readMoment('until', until, now, timeZone);
  const begin = since === undefined ? null : readMoment('since', since, now, timeZone);
  const isUpToToday = until?.trim().toLowerCase() === 'today' && begin?.isDay === true && begin.at < end.at;
  const to = isUpToToday ? end.at : end.isDay ? min([nextWallClock(0, timeZone, end.at), now]) : end.at;
  const from = begin?.at ?? subMilliseconds(to, durationMs);
  if (from >= to) throw new FilterError('since', 'has to be before until:, or now.', 'since:2h until:1h');
  const longestMs = Math.round(maxDays * DAY_MS);
  if (now.getTime() - from.getTime() <= longestMs) return { from, to };
  const hint = older === undefined ? '' : ` Older events, as far as the service keeps them: ${older}.`;
  const earliest = Number.isInteger(maxDays) ? `since:${maxDays}d` : `since:${Math.floor(longestMs / HOUR_MS)}h`;
  throw new FilterError('since', `reaches back at most ${describeDuration(longestMs)}.${hint}`, earliest);
}

interface Moment {
  at: Date;
  isDay: boolean;
}

function readMoment(field: 'since' | 'until', typed: string, now: Date, timeZone: string) {
  const moment = parseMoment(typed.trim().toLowerCase(), now, timeZone);
  if (moment === null)
    throw new FilterError(field, 'takes a time such as 30m, 2h, 1d, 12:30, yesterday or 2025-01-31.');
  if (moment.at > now) throw new FilterError(field, 'lies in the future.');
  return moment;
}

const MOMENT =
  /^(today|yesterday|\d{4}-\d{2}-\d{2})?(?:(?:^|[t ])((?:[01]?\d|2[0-3]):\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s?(z|utc|[+-]\d{2}:?\d{2})?)?$/;

function parseMoment(text: string, now: Date, timeZone: string): Moment | null {
  const agoMs = text === 'now' ? 0 : parseDuration(text);
  if (agoMs !== null) return { at: subMilliseconds(now, agoMs), isDay: false };
  const [, day, time, zone] = MOMENT.exec(text) ?? [];
  // 03:00-04:00 is a range, not a time with an offset.
  if (day === undefined && (time === undefined || /\d/.test(zone ?? ''))) return null;
  const zoned = { in: tz(zone === undefined ? timeZone : 'UTC') };
  const clock = time === undefined ? '' : `T${time.replace(/^\d:/, '0$&')}${(zone ?? '').replace(/^[a-z]+/, 'Z')}`;
  const onDate = (date: string) => parseISO(date + clock, zoned).getTime();
  const daysAgo = (days: number) => onDate(formatISO(subDays(now, days, zoned), { ...zoned, representation: 'date' }));
  const isYesterday = day === 'yesterday' || (day === undefined && daysAgo(0) > now.getTime());
  const ms = day !== undefined && /^\d/.test(day) ? onDate(day) : daysAgo(isYesterday ? 1 : 0);
  return Number.isNaN(ms) ? null : { at: new Date(ms), isDay: time === undefined };
}

export const formatUtc = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
