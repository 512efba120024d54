import { addMilliseconds, parseISO, subMilliseconds } from 'date-fns';
import { InputError } from '../errors.ts';
import { withoutPunctuation } from '../fold.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';
import { lastShown, lastWallClock, localDay, momentsOf, nextWallClock } from './wall-clock.ts';

/** The units of time that are typed after a number, as a pattern in lower case; the first letter says which. */
const UNIT_NAMES = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)';

/** A time range, both ends included, like the event list's `createdAt` filter. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** By their first letter. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', SECOND_MS],
  ['m', MINUTE_MS],
  ['h', HOUR_MS],
  ['d', DAY_MS],
  ['w', 7 * DAY_MS],
]);

const EXAMPLES = { since: 'since:2h', until: 'until:12:30' } as const;
const DURATION = new RegExp(`^(?:\\d{1,6}\\s*${UNIT_NAMES}(?:\\s+(?=\\d)|(?=\\d)|$))+$`);
const AMOUNT = /(\d+)\s*([smhdw])/g;

interface Typed {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Parses `since` and `until` at `now`: how long ago (`30m`, `2h`, `1d`), `now`, `today`, `yesterday`, or a date or time as
 * `parseTypedMoment` takes them. Those without a zone are in `timeZone` (an IANA name; UTC). A day as `until` includes that day. Without
 * `since` the range is `durationMs` long; without `until` it ends now. Throws an `InputError` for what can't be parsed, lies in the future,
 * ends before it begins or begins more than `maxDays` (30) ago.
 */
export function parseTimeRange(
  input: Typed,
  now: Date,
  defaults: {
    readonly durationMs: number;
    readonly maxDays?: number;
    readonly timeZone?: string;
    /** The command for what begins more than `maxDays` ago. */
    readonly older?: string;
  },
): TimeRange {
  const clock: Clock = { now, timeZone: defaults.timeZone ?? 'UTC', meant: 'first' };
  const end = input.until === undefined ? null : readMoment('until', input.until, { ...clock, meant: 'last' });
  const to = end === null ? now : endOf(end, clock);
  const from =
    input.since === undefined ? subMilliseconds(to, defaults.durationMs) : readMoment('since', input.since, clock).at;
  if (from >= to && end?.is === 'yesterdays') throw stillToCome(input);
  if (from >= to && end === null) throw new InputError('since', 'since: has to be before now.', EXAMPLES.since);
  if (from >= to) throw new InputError('since', 'since: has to be before until:.', 'since:2h until:1h');
  const longestMs = Math.round((defaults.maxDays ?? 30) * DAY_MS);
  if (now.getTime() - from.getTime() > longestMs) throw tooLongAgo(longestMs, defaults.older, input);
  return { from, to };
}

export function formatUtcTime(date: Date): string {
  return date.toISOString().slice(11, 16);
}

export function formatUtc(date: Date): string {
  return `${date.toISOString().slice(0, 10)} ${formatUtcTime(date)} UTC`;
}

/** Describes a duration, rounded, in the largest unit of which it has one or at least two: '45 s', '3 min', '90 min', '1 h', '2 d'. */
export function describeDuration(ms: number): string {
  const seconds = rounded(Math.max(0, ms), SECOND_MS);
  const [unit] = fitting(seconds);
  // 1:59:40 is 120 min, which is 2 h.
  const shown = rounded(seconds, unit);
  const [size, name] = fitting(shown);
  return `${Math.round(shown / size)} ${name}`;
}

const rounded = (ms: number, to: number): number => Math.round(ms / to) * to;

/** Parses `30m`, `2 hours`, `1h30m` or `1d` to milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  if (!DURATION.test(text)) return null;
  return [...text.matchAll(AMOUNT)].reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS.get(unit) ?? 0),
    0,
  );
}

function fitting(ms: number): readonly [size: number, name: string] {
  const named = [
    [DAY_MS, 'd'],
    [HOUR_MS, 'h'],
    [MINUTE_MS, 'min'],
  ] as const;
  return named.find(([size]) => ms >= 2 * size || ms === size) ?? [SECOND_MS, 's'];
}

export function dependsOnZone(text: string): boolean {
  const typed = asMoment(text);
  return typed !== 'now' && agoMs(typed) === null && !namesZone(typed);
}

function readMoment(field: 'since' | 'until', text: string, clock: Clock): Moment {
  const moment = parseMoment(asMoment(text), clock);
  if (moment === null) {
    throw new InputError(
      field,
      `${field}: takes a time such as 30m, 2h, 1d, 12:30, yesterday or 2025-01-31.`,
      EXAMPLES[field],
    );
  }
  if (moment.at > clock.now) throw new InputError(field, `${field}: lies in the future.`, EXAMPLES[field]);
  return moment;
}

function asMoment(text: string): string {
  return withoutPunctuation(text.trim().toLowerCase());
}

function parseMoment(text: string, clock: Clock): Moment | null {
  if (text === 'now') return { at: clock.now, is: 'moment' };
  if (text === 'today') return { at: startOfDay(clock.now, clock), is: 'day' };
  if (text === 'yesterday') {
    const justBefore = new Date(startOfDay(clock.now, clock).getTime() - 1);
    return { at: startOfDay(justBefore, clock), is: 'day' };
  }
  return parseAgo(text, clock) ?? parseTypedMoment(text, clock);
}

function parseAgo(text: string, { now }: Clock): Moment | null {
  const ago = agoMs(text);
  return ago === null ? null : { at: subMilliseconds(now, ago), is: 'moment' };
}

function agoMs(text: string): number | null {
  return parseDuration(text.replace(/(?<!\s)\s*ago$/, ''));
}

function endOf(moment: Moment, { now, timeZone }: Clock): Date {
  if (moment.is !== 'day') return moment.at;
  const nextDay = nextWallClock(0, timeZone, moment.at);
  return nextDay < now ? nextDay : now;
}

function startOfDay(moment: Date, { timeZone }: Clock): Date {
  return lastWallClock(0, timeZone, moment).at;
}

function stillToCome({ since = '', until = '' }: Typed): InputError {
  const what = `until:${until.trim()} is still to come today. Leave it out to see everything up to now.`;
  return new InputError('until', what, sinceFilter(since));
}

function sinceFilter(since: string): string {
  return /\s/.test(since) ? `since:"${since}"` : `since:${since}`;
}

function tooLongAgo(longestMs: number, older: string | undefined, { since = '2d' }: Typed): InputError {
  const [unitMs, unit] = longestMs % DAY_MS === 0 && longestMs > DAY_MS ? [DAY_MS, 'day'] : [HOUR_MS, 'hour'];
  const count = Math.floor(longestMs / unitMs);
  const example = longestMs < 2 * HOUR_MS ? 'since:30m' : EXAMPLES.since;
  const what = `since: reaches back at most ${count} ${unit}${count === 1 ? '' : 's'}.`;
  const hint = older === undefined ? '' : ` Older events: ${older} ${sinceFilter(since)}.`;
  return new InputError('since', `${what}${hint}`, example);
}

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
