import { tz } from '@date-fns/tz';
import { min, parseISO, subDays, subMilliseconds } from 'date-fns';
import { InputError } from '../errors.ts';
import { withoutPunctuation } from '../fold.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from './durations.ts';
import { localDay, nextWallClock } from './wall-clock.ts';

/** A time range, both ends included, like the event list's `createdAt` filter. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

interface Clock {
  readonly now: Date;
  readonly timeZone: string;
}

const EXAMPLES = { since: 'since:2h', until: 'until:12:30' } as const;

/**
 * Parses `since` and `until` at `now`: how long ago (`30m`, `2h`, `1d`), `now`, `today`, `yesterday`, a time of today or, if that is still to
 * come, of yesterday ('22:15', '10:15 pm', 'yesterday 2am'), an ISO date or time, or Unix time. Those without a zone are in `timeZone` (an
 * IANA name; UTC). A day as `until` includes that day. Without `since` the range is `durationMs` long; without `until` it ends now. Throws
 * an `InputError` for what can't be parsed, lies in the future, ends before it begins or begins more than `maxDays` (30) ago.
 */
export function parseTimeRange(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  now: Date,
  defaults: {
    readonly durationMs: number;
    readonly maxDays?: number;
    readonly timeZone?: string;
    readonly older?: string;
  },
): TimeRange {
  const clock: Clock = { now, timeZone: defaults.timeZone ?? 'UTC' };
  const end = until === undefined ? { at: now, isDay: false } : readMoment('until', until, clock);
  const to = end.isDay ? min([nextWallClock(0, clock.timeZone, end.at), now]) : end.at;
  const from = since === undefined ? subMilliseconds(to, defaults.durationMs) : readMoment('since', since, clock).at;
  if (from >= to && until === undefined) throw new InputError('since', 'since: has to be before now.', EXAMPLES.since);
  if (from >= to) throw new InputError('since', 'since: has to be before until:.', 'since:2h until:1h');
  const longestMs = Math.round((defaults.maxDays ?? 30) * DAY_MS);
  if (now.getTime() - from.getTime() > longestMs) throw tooLongAgo(longestMs, defaults.older, since ?? '2d');
  return { from, to };
}

function tooLongAgo(longestMs: number, older: string | undefined, since: string): InputError {
  const [unitMs, unit] = longestMs % DAY_MS === 0 && longestMs > DAY_MS ? [DAY_MS, 'day'] : [HOUR_MS, 'hour'];
  const count = Math.floor(longestMs / unitMs);
  const example = longestMs < 2 * HOUR_MS ? 'since:30m' : EXAMPLES.since;
  const what = `since: reaches back at most ${count} ${unit}${count === 1 ? '' : 's'}.`;
  const hint = older === undefined ? '' : ` Older events: ${older} since:${/\s/.test(since) ? `"${since}"` : since}.`;
  return new InputError('since', `${what}${hint}`, example);
}

interface Moment {
  readonly at: Date;
  readonly isDay: boolean;
}

function readMoment(field: 'since' | 'until', typed: string, clock: Clock): Moment {
  const moment = parseMoment(plain(typed), clock);
  if (moment === null) {
    const rule = `${field}: takes a time such as 30m, 2h, 1d, 12:30, yesterday or 2025-01-31.`;
    throw new InputError(field, rule, EXAMPLES[field]);
  }
  if (moment.at > clock.now) throw new InputError(field, `${field}: lies in the future.`, EXAMPLES[field]);
  return moment;
}

function plain(typed: string): string {
  return withoutPunctuation(typed.trim().toLowerCase());
}

/** The patterns are for text in lower case. */
const CLOCK =
  /^(?:(today|yesterday),?\s+(?:at\s+)?)?(\d{1,2})(?::([0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?))?(?:\s*([ap])\.?m\b\.?)?(?:\s*(z|utc|gmt))?$/;
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[t ]\s*(\d{2}:\d{2}[\d:.,]*)(?:\s*(z|utc|gmt|[+-]\d{2}(?::?\d{2})?))?)?$/;
/** Seconds, or milliseconds, since 1970. */
const UNIX_TIME = /^(?:\d{10}(?:\.\d{1,9})?|\d{13})$/;

function parseMoment(text: string, clock: Clock): Moment | null {
  const ago = agoMs(text);
  if (ago !== null) return { at: subMilliseconds(clock.now, ago), isDay: false };
  if (UNIX_TIME.test(text)) {
    return { at: new Date(Math.trunc(Number(text) * (/^\d{13}$/.test(text) ? 1 : SECOND_MS))), isDay: false };
  }
  if (text === 'today' || text === 'yesterday') return dateTime(dayNamed(text, clock), clock.timeZone);
  return parseClock(text, clock) ?? parseDate(text, clock);
}

function agoMs(text: string): number | null {
  return text === 'now' ? 0 : parseDuration(text.replace(/(?<!\s)\s*ago$/, ''));
}

function parseClock(text: string, clock: Clock): Moment | null {
  const [, day, hours = '', rest, half, zone] = text.match(CLOCK) ?? [];
  const hour = hourOf(Number(hours), half);
  if ((rest === undefined && half === undefined) || hour === null) return null;
  const inZone = { ...clock, timeZone: zone === undefined ? clock.timeZone : 'UTC' };
  const time = `T${String(hour).padStart(2, '0')}:${rest ?? '00'}`;
  const moment = dateTime(dayNamed(day ?? 'today', inZone) + time, inZone.timeZone);
  if (day !== undefined || moment === null || moment.at <= clock.now) return moment;
  return dateTime(dayNamed('yesterday', inZone) + time, inZone.timeZone);
}

function parseDate(text: string, { timeZone }: Clock): Moment | null {
  const [, day, time, zone = ''] = text.match(DATE) ?? [];
  if (day === undefined) return null;
  return dateTime(time === undefined ? day : `${day}T${time}${zone.replace(/^[a-z]+/, 'Z')}`, timeZone);
}

function dateTime(iso: string, timeZone: string): Moment | null {
  const ms = parseISO(iso, { in: tz(timeZone) }).getTime();
  return Number.isNaN(ms) ? null : { at: new Date(ms), isDay: !iso.includes('T') };
}

function dayNamed(name: string, { now, timeZone }: Clock): string {
  return localDay(timeZone, name === 'yesterday' ? subDays(now, 1, { in: tz(timeZone) }) : now);
}

/** Null if a clock with 24 hours or, with 'a' or 'p', with 12 has no such hour. */
export function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

const UNIT_NAMES = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)';
const DURATION = new RegExp(`^(?:\\d{1,6}\\s*${UNIT_NAMES}(?:\\s+(?=\\d)|(?=\\d)|$))+$`);
const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', SECOND_MS],
  ['m', MINUTE_MS],
  ['h', HOUR_MS],
  ['d', DAY_MS],
  ['w', WEEK_MS],
]);

/** Parses `30m`, `2 hours`, `1h30m` or `1d` to milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  if (!DURATION.test(text)) return null;
  const amounts = [...text.matchAll(/(\d+)\s*([smhdw])/g)];
  return amounts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS.get(unit) ?? 0), 0);
}

export function formatUtc(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
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

function fitting(ms: number): readonly [size: number, name: string] {
  const named = [[DAY_MS, 'd'] as const, [HOUR_MS, 'h'] as const, [MINUTE_MS, 'min'] as const];
  return named.find(([size]) => ms >= 2 * size || ms === size) ?? [SECOND_MS, 's'];
}
