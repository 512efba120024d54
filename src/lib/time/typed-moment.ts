import { addMilliseconds, parseISO, subMilliseconds } from 'date-fns';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';
import { lastShown, lastWallClock, localDay, momentsOf } from './wall-clock.ts';

export interface Moment {
  readonly at: Date;
  /** A point in time; the beginning of a whole day; or yesterday's time of the day, because today's is still to come. */
  readonly is: 'moment' | 'day' | 'yesterdays';
}

export interface Clock {
  readonly now: Date;
  readonly timeZone: string;
  /** Which one is meant of two moments at which clocks show the same time: the end of a range is the later one, unless it's still to come. */
  readonly meant: 'first' | 'last';
}

/** Each pattern is for text in lower case. */
const CLOCK =
  /^(?:(today|yesterday),?\s+(?:at\s+)?)?(\d{1,2})(?::([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?)?(?:\s*([ap])\.?m\b\.?)?(?:\s*(z|utc|gmt))?$/;
const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[t ]\s*((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:\s*(z|utc|gmt|[+-]\d{2}(?::?\d{2})?))?)?$/;
const EPOCH_SECONDS = /^\d{10}(?:\.\d{1,9})?$/;
const EPOCH_MILLISECONDS = /^\d{13}$/;

/**
 * Parses a moment as people type it and as Notif, logs and databases show it, in lower case: a time of today or, if that is still to come,
 * of yesterday ('22:15', '22:15:30', '10:15 pm', '2am'), or of the day that is named ('yesterday 22:15'), an ISO date or time with any number
 * of decimals ('2025-01-31', '2025-01-31 22:15 utc'), seconds or milliseconds since 1970. Null for anything else.
 */
export function parseTypedMoment(text: string, clock: Clock): Moment | null {
  return parseClock(text, clock) ?? parseDate(text, clock) ?? parseEpoch(text);
}

export function namesZone(text: string): boolean {
  return (text.match(CLOCK)?.[7] ?? text.match(DATE)?.[5]) !== undefined || parseEpoch(text) !== null;
}

function parseClock(text: string, clock: Clock): Moment | null {
  const [, day, hours, minutes, seconds, fraction, half, zone] = text.match(CLOCK) ?? [];
  if (minutes === undefined && half === undefined) return null;
  const hour = hourOf(Number(hours), half);
  if (hour === null) return null;
  const sinceMinute = msOf(seconds, fraction);
  const minuteOfDay = (hour * HOUR_MS) / MINUTE_MS + Number(minutes ?? 0);
  const inZone = { ...clock, timeZone: zone === undefined ? clock.timeZone : 'UTC' };
  if (day === undefined) return lastTime(minuteOfDay, sinceMinute, inZone);
  const today = localDay(inZone.timeZone, clock.now);
  const shown = momentsOf(day === 'today' ? today : dayBefore(today), minuteOfDay, inZone.timeZone);
  return { at: meantOf(shown, sinceMinute, inZone), is: 'moment' };
}

function lastTime(minuteOfDay: number, sinceMinute: number, { now, timeZone, meant }: Clock): Moment {
  const minuteAt = subMilliseconds(now, sinceMinute);
  const at =
    meant === 'first' ? lastWallClock(minuteOfDay, timeZone, minuteAt).at : lastShown(minuteOfDay, timeZone, minuteAt);
  const isToday = localDay(timeZone, at) === localDay(timeZone, now);
  return { at: addMilliseconds(at, sinceMinute), is: isToday ? 'moment' : 'yesterdays' };
}

function meantOf(
  [first, second = first]: readonly [Date, ...Date[]],
  sinceMinute: number,
  { now, meant }: Clock,
): Date {
  const typed = (minute: Date) => addMilliseconds(minute, sinceMinute);
  return meant === 'last' && typed(second) <= now ? typed(second) : typed(first);
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

/** Null if a clock with 24 hours or, with 'a' or 'p', with 12 has no such hour. */
export function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

function parseDate(text: string, clock: Clock): Moment | null {
  const [, day, time = '00:00', seconds, fraction, zone] = text.match(DATE) ?? [];
  if (day === undefined) return null;
  const sinceMinute = msOf(seconds, fraction);
  const shown = parseISO(`${day}T${time}${offsetOf(zone)}`);
  if (Number.isNaN(shown.getTime())) return null;
  if (zone !== undefined) return { at: addMilliseconds(shown, sinceMinute), is: 'moment' };
  const minutes = momentsOf(day, minutesOf(time), clock.timeZone);
  return text === day ? { at: minutes[0], is: 'day' } : { at: meantOf(minutes, sinceMinute, clock), is: 'moment' };
}

function offsetOf(zone: string | undefined): string {
  return zone === undefined || /[a-z]/.test(zone) ? 'Z' : zone;
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (Number(hours) * HOUR_MS) / MINUTE_MS + Number(minutes);
}

function parseEpoch(text: string): Moment | null {
  if (EPOCH_MILLISECONDS.test(text)) return { at: new Date(Number(text)), is: 'moment' };
  if (!EPOCH_SECONDS.test(text)) return null;
  const [seconds, fraction] = text.split('.');
  return { at: new Date(msOf(seconds, fraction)), is: 'moment' };
}

function msOf(seconds: string | undefined, fraction: string | undefined): number {
  return Number(seconds ?? 0) * SECOND_MS + Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
}
