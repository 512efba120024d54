import { TZDate, tz } from '@date-fns/tz';
import { addDays, format, getHours, getMinutes, max, min, startOfDay } from 'date-fns';

/** `quiet` is in minutes of the wall clock; over midnight if `from` is greater. */
export function isQuietAt(quiet: { from: number; to: number } | null, timeZone: string, now: Date): boolean {
  if (quiet === null) return false;
  const { from, to } = quiet;
  const zoned = { in: tz(timeZone) };
  const shown = getHours(now, zoned) * 60 + getMinutes(now, zoned);
  return from < to ? from <= shown && shown < to : from <= shown || shown < to;
}

export function nextWallClock(minutes: number, timeZone: string, after: Date): Date {
  return min(timesAround(minutes, timeZone, after).filter((at) => at > after));
}

export function lastWallClock(minutes: number, timeZone: string, now: Date): Date {
  return max(timesAround(minutes, timeZone, now).filter((at) => at <= now));
}

/** Two days each way: no zone has skipped more than one. */
function timesAround(minutes: number, timeZone: string, moment: Date) {
  const today = startOfDay(new TZDate(moment, timeZone));
  return [-2, -1, 0, 1, 2].map((days) => {
    const day = addDays(today, days);
    const at = new TZDate(day.getFullYear(), day.getMonth(), day.getDate(), 0, minutes, timeZone);
    return new Date(at.getTime());
  });
}

const formatted = (pattern: string) => (at: Date, timeZone: string) => format(at, pattern, { in: tz(timeZone) });

export const clockTime = formatted('HH:mm');
export const weekdayAndDay = formatted('EEE d');
