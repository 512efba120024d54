import { TZDate, tz } from '@date-fns/tz';
import { addDays, format, getDay, getHours, getMinutes, max, min, startOfDay } from 'date-fns';

/** More than a week each way: no zone has skipped more than a day. */
const DAYS_AROUND = [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8];

/** In minutes of the wall clock; over midnight if `from` is greater. */
export interface ClockRange {
  from: number;
  to: number;
}

/** Hours of each day, and whole days (0: Sunday), not all seven. */
export interface QuietTimes {
  hours: ClockRange | null;
  days: readonly number[];
}

/** Null: it isn't quiet. */
export function quietUntil(quiet: QuietTimes, timeZone: string, now: Date): Date | null {
  if (!isQuietAt(quiet, timeZone, now)) return null;
  const clocks = [0, ...(quiet.hours === null ? [] : [quiet.hours.to])];
  const ends = clocks.flatMap((minutes) => timesAround(minutes, timeZone, now));
  return min(ends.filter((end) => end > now && !isQuietAt(quiet, timeZone, end)));
}

function isQuietAt({ hours, days }: QuietTimes, timeZone: string, now: Date): boolean {
  const zoned = { in: tz(timeZone) };
  if (days.includes(getDay(now, zoned))) return true;
  if (hours === null) return false;
  const { from, to } = hours;
  const shown = getHours(now, zoned) * 60 + getMinutes(now, zoned);
  return from < to ? from <= shown && shown < to : from <= shown || shown < to;
}

/** On one of `days` (0: Sunday), if there are any. */
export function nextWallClock(minutes: number, timeZone: string, after: Date, days: readonly number[] = []): Date {
  return min(timesAround(minutes, timeZone, after).filter((at) => at > after && isAmongDays(at, timeZone, days)));
}

/** On one of `days` (0: Sunday), if there are any. */
export function lastWallClock(minutes: number, timeZone: string, now: Date, days: readonly number[] = []): Date {
  return max(timesAround(minutes, timeZone, now).filter((at) => at <= now && isAmongDays(at, timeZone, days)));
}

const isAmongDays = (at: Date, timeZone: string, days: readonly number[]): boolean =>
  days.length === 0 || days.includes(getDay(at, { in: tz(timeZone) }));

function timesAround(minutes: number, timeZone: string, moment: Date): readonly Date[] {
  const today = startOfDay(new TZDate(moment, timeZone));
  return DAYS_AROUND.map((days) => {
    const day = addDays(today, days);
    const at = new TZDate(day.getFullYear(), day.getMonth(), day.getDate(), 0, minutes, timeZone);
    return new Date(at.getTime());
  });
}

const formatted = (pattern: string) => (at: Date, timeZone: string) => format(at, pattern, { in: tz(timeZone) });

export const clockTime = formatted('HH:mm');
export const weekdayAndDay = formatted('EEE d');
