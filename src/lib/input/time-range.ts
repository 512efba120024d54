import { tz } from '@date-fns/tz';
import { formatISO, min, parseISO, subDays, subMilliseconds } from 'date-fns';
import { DAY_MS, describeDuration, HOUR_MS, parseDuration, type TimeRange } from '../time/durations.ts';
import { nextWallClock } from '../time/wall-clock.ts';
import { FilterError, type FilterMap, onlyValue } from './filters.ts';

/** A day, a time of the day with an offset or without, or both. */
const MOMENT =
  /^(today|yesterday|\d{4}-\d{2}-\d{2})?(?:(?:^|[t ])((?:[01]?\d|2[0-3]):\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s?(z|utc|[+-]\d{2}:?\d{2})?)?$/;

interface Moment {
  at: Date;
  /** A whole day was typed, whose beginning it is. */
  isDay: boolean;
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
  const isDayIncluded = end.isDay && !isUpToToday;
  const to = isDayIncluded ? min([nextWallClock(0, timeZone, end.at), now]) : end.at;
  const from = begin?.at ?? subMilliseconds(to, durationMs);
  if (from >= to) throw new FilterError('since', 'has to be before until:, or now.', 'since:2h until:1h');
  const longestMs = Math.round(maxDays * DAY_MS);
  if (now.getTime() - from.getTime() <= longestMs) return { from, to };
  const hint = older === undefined ? '' : ` Older events, as far as the service keeps them: ${older}.`;
  const earliest = Number.isInteger(maxDays) ? `since:${maxDays}d` : `since:${Math.floor(longestMs / HOUR_MS)}h`;
  throw new FilterError('since', `reaches back at most ${describeDuration(longestMs)}.${hint}`, earliest);
}

function readMoment(field: 'since' | 'until', typed: string, now: Date, timeZone: string): Moment {
  const moment = parseMoment(typed.trim().toLowerCase(), now, timeZone);
  if (moment === null)
    throw new FilterError(field, 'takes a time such as 30m, 2h, 1d, 12:30, yesterday or 2025-01-31.');
  if (moment.at > now) throw new FilterError(field, 'lies in the future.');
  return moment;
}

function parseMoment(text: string, now: Date, timeZone: string): Moment | null {
  const agoMs = text === 'now' ? 0 : parseDuration(text);
  if (agoMs !== null) return { at: subMilliseconds(now, agoMs), isDay: false };
  const [, day, time, zone] = MOMENT.exec(text) ?? [];
  // 03:00-04:00 is a range, not a time with an offset.
  if (day === undefined && (time === undefined || /\d/.test(zone ?? ''))) return null;
  const zoned = { in: tz(zone === undefined ? timeZone : 'UTC') };
  // T09:30Z of `9:30 utc`.
  const clock = time === undefined ? '' : `T${time.replace(/^\d:/, '0$&')}${(zone ?? '').replace(/^[a-z]+/, 'Z')}`;
  const onDate = (date: string) => parseISO(date + clock, zoned).getTime();
  const daysAgo = (days: number) => onDate(formatISO(subDays(now, days, zoned), { ...zoned, representation: 'date' }));
  // A time without a day that is still to come today was yesterday's.
  const isYesterday = day === 'yesterday' || (day === undefined && daysAgo(0) > now.getTime());
  const isDate = day !== undefined && /^\d/.test(day);
  const ms = isDate ? onDate(day) : daysAgo(isYesterday ? 1 : 0);
  return Number.isNaN(ms) ? null : { at: new Date(ms), isDay: time === undefined };
}
