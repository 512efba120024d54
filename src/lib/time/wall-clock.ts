import { tzOffset } from '@date-fns/tz';
import { addMilliseconds } from 'date-fns';
import { DAY_MS, MINUTE_MS } from './durations.ts';

/** A daily range of wall-clock time in minutes of the day, from `from` up to `to`; over midnight if `from` is greater. */
export interface QuietTime {
  readonly from: number;
  readonly to: number;
}

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export function isQuietAt(quiet: QuietTime | null, timeZone: string, now: Date): boolean {
  return quietTimeAt(quiet, timeZone, now) !== null;
}

/** Returns the quiet hours that contain a moment, from their beginning, which may be yesterday, to their end; null if none do. */
export function quietTimeAt(quiet: QuietTime | null, timeZone: string, now: Date): Period | null {
  if (quiet === null) return null;
  const today = localDay(timeZone, now);
  const days = [dayAfter(today, -1), today].map((day) => ({
    from: momentOf(day, quiet.from, timeZone),
    to: momentOf(quiet.from < quiet.to ? day : dayAfter(day, 1), quiet.to, timeZone),
  }));
  return days.find(({ from, to }) => from <= now && now < to) ?? null;
}

export interface WallClockMoment {
  /** yyyy-MM-dd */
  readonly day: string;
  readonly at: Date;
}

/** `minutes` of the day, once a day: if the clocks skip it, at that change; if they show it twice, the first time. */
export function nextWallClock(minutes: number, timeZone: string, after: Date): Date {
  const next = around(minutes, timeZone, after).find(({ at }) => at > after);
  if (next === undefined) throw new Error(`the clocks of ${timeZone} never show minute ${minutes}`);
  return next.at;
}

/** Returns the last time up to a moment at which a zone's clocks showed a time, with the day that it belongs to; see `nextWallClock`. */
export function lastWallClock(minutes: number, timeZone: string, now: Date): WallClockMoment {
  const last = around(minutes, timeZone, now).findLast(({ at }) => at <= now);
  if (last === undefined) throw new Error(`the clocks of ${timeZone} never showed minute ${minutes}`);
  return last;
}

/** Returns when a zone's clocks next show a time (minutes of the day): unlike `nextWallClock`, also the second time if there are two. */
export function nextShown(minutes: number, timeZone: string, after: Date): Date {
  return shownAround(minutes, timeZone, after).find((at) => at > after) ?? nextWallClock(minutes, timeZone, after);
}

/** Returns the last moment at or before another at which the clocks of a zone showed a time; see `nextShown`. */
export function lastShown(minutes: number, timeZone: string, now: Date): Date {
  return shownAround(minutes, timeZone, now).findLast((at) => at <= now) ?? lastWallClock(minutes, timeZone, now).at;
}

/** Returns a zone's date at a moment: yyyy-MM-dd. */
export function localDay(timeZone: string, now: Date): string {
  return addMilliseconds(now, offsetAt(now, timeZone)).toISOString().slice(0, 10);
}

function around(minutes: number, timeZone: string, moment: Date): WallClockMoment[] {
  return daysAround(timeZone, moment).map((day) => ({ day, at: momentOf(day, minutes, timeZone) }));
}

function shownAround(minutes: number, timeZone: string, moment: Date): Date[] {
  return daysAround(timeZone, moment).flatMap((day) => momentsOf(day, minutes, timeZone));
}

/** Two days before and after are enough: no zone has skipped more than one. */
function daysAround(timeZone: string, moment: Date): string[] {
  const today = localDay(timeZone, moment);
  return [-2, -1, 0, 1, 2].map((days) => dayAfter(today, days));
}

/** Returns when a zone's clocks first show a time, in minutes of a day (yyyy-MM-dd), or, if they never do, when they skip it. */
function momentOf(day: string, minutes: number, timeZone: string): Date {
  return momentsOf(day, minutes, timeZone)[0];
}

/** Returns the one moment, or both, at which the clocks of a zone show a time of a day; see `momentOf`. */
export function momentsOf(day: string, minutes: number, timeZone: string): readonly [Date, ...Date[]] {
  const shown = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((near) => offsetAt(new Date(near), timeZone));
  const candidates = offsets.map((offset) => new Date(shown - offset)).sort((a, b) => a.getTime() - b.getTime());
  const [earliest = new Date(shown), latest = earliest] = candidates;
  const isShown = (at: Date) => at.getTime() + offsetAt(at, timeZone) === shown;
  const isTwice = earliest < latest && isShown(earliest) && isShown(latest);
  if (isTwice) return [earliest, latest];
  return [candidates.find(isShown) ?? changeBetween(earliest, latest, timeZone)];
}

/** Returns the minute from which a zone's offset is the one at `to`. */
function changeBetween(from: Date, to: Date, timeZone: string): Date {
  const offset = offsetAt(to, timeZone);
  let before = from.getTime();
  let after = to.getTime();
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(new Date(middle), timeZone) === offset) after = middle;
    else before = middle;
  }
  return new Date(after);
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function offsetAt(moment: Date, timeZone: string): number {
  return tzOffset(timeZone, moment) * MINUTE_MS;
}

/** Formats a moment's time in a zone (an IANA name): '14:30'. */
export function clockTime(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

export function weekdayAndDay(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { weekday: 'short', day: 'numeric' });
}

function formatted(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);
}
