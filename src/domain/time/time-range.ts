import { parseISO } from 'date-fns';
import { InputError } from '../errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';

/** A time range, both ends included, like the event list's `createdAt` filter. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', SECOND_MS],
  ['m', MINUTE_MS],
  ['min', MINUTE_MS],
  ['h', HOUR_MS],
  ['d', DAY_MS],
  ['w', 7 * DAY_MS],
]);

const EXAMPLES = { since: 'since:2h', until: 'until:12:30' } as const;
const DURATION = /^(\d{1,6})\s*(s|m|min|h|d|w)$/;
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses `since` and `until` at `now`: how long ago (`30m`, `2h`, `1d`), a time of today or, if that is still to come, of yesterday
 * (`12:00`), `now`, `today`, `yesterday`, an ISO date or time. Without a zone they are UTC. A day as `until` includes that day. Without
 * `since` the range is `durationMs` long; without `until` it ends now. Throws an `InputError` for what can't be parsed, lies in the future,
 * ends before it begins or begins more than `maxDays` (30) ago.
 */
export function parseTimeRange(
  input: { readonly since?: string | undefined; readonly until?: string | undefined },
  now: Date,
  defaults: { readonly durationMs: number; readonly maxDays?: number },
): TimeRange {
  const to = input.until === undefined ? now : endOf(readMoment('until', input.until, now), now);
  const from =
    input.since === undefined ? new Date(to.getTime() - defaults.durationMs) : readMoment('since', input.since, now).at;
  if (from >= to) throw new InputError('since', 'since: has to be before until:.', 'since:2h until:1h');
  const maxDays = defaults.maxDays ?? 30;
  if (now.getTime() - from.getTime() > maxDays * DAY_MS) throw tooLongAgo(maxDays);
  return { from, to };
}

/** Formats a time as 'HH:mm' in UTC. */
export function formatUtcTime(date: Date): string {
  return date.toISOString().slice(11, 16);
}

/** Formats a time as 'yyyy-MM-dd HH:mm UTC'. */
export function formatUtc(date: Date): string {
  return `${date.toISOString().slice(0, 10)} ${formatUtcTime(date)} UTC`;
}

/** Describes a duration in the largest unit of which there are at least two or exactly one: '45 s', '3 min', '90 min', '1 h', '2 d'. */
export function describeDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND_MS));
  const [size, name] = fitting(seconds * SECOND_MS);
  return `${Math.round((seconds * SECOND_MS) / size)} ${name}`;
}

/** Parses `30m`, `2h` or `1d` to milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const [, amount, unit = ''] = text.match(DURATION) ?? [];
  const size = UNITS.get(unit);
  return size === undefined ? null : Number(amount) * size;
}

function fitting(ms: number): readonly [size: number, name: string] {
  const named = [
    [DAY_MS, 'd'],
    [HOUR_MS, 'h'],
    [MINUTE_MS, 'min'],
  ] as const;
  return named.find(([size]) => ms >= 2 * size || ms === size) ?? [SECOND_MS, 's'];
}

/** A point in time, or a whole day. */
interface Moment {
  readonly at: Date;
  readonly isDay: boolean;
}

function readMoment(field: 'since' | 'until', text: string, now: Date): Moment {
  const moment = parseMoment(text.trim().toLowerCase(), now);
  if (moment === null) {
    throw new InputError(
      field,
      `${field}: takes a time such as 30m, 2h, 1d, 12:30, yesterday or 2025-01-31.`,
      EXAMPLES[field],
    );
  }
  if (moment.at > now) throw new InputError(field, `${field}: lies in the future.`, EXAMPLES[field]);
  return moment;
}

function parseMoment(text: string, now: Date): Moment | null {
  if (text === 'now') return { at: now, isDay: false };
  if (text === 'today') return { at: startOfUtcDay(now), isDay: true };
  if (text === 'yesterday') return { at: new Date(startOfUtcDay(now).getTime() - DAY_MS), isDay: true };
  return parseAgo(text, now) ?? parseClock(text, now) ?? parseIso(text);
}

function parseAgo(text: string, now: Date): Moment | null {
  const ago = parseDuration(text.replace(/\s*ago$/, ''));
  return ago === null ? null : { at: new Date(now.getTime() - ago), isDay: false };
}

function parseClock(text: string, now: Date): Moment | null {
  const [, hours, minutes] = text.match(CLOCK) ?? [];
  if (hours === undefined) return null;
  const today = startOfUtcDay(now).getTime() + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return { at: new Date(today > now.getTime() ? today - DAY_MS : today), isDay: false };
}

function parseIso(text: string): Moment | null {
  const [, day, time = '00:00', zone = 'z'] = text.match(ISO) ?? [];
  if (day === undefined) return null;
  const at = parseISO(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(at.getTime()) ? null : { at, isDay: text === day };
}

function endOf(moment: Moment, now: Date): Date {
  return moment.isDay ? new Date(Math.min(moment.at.getTime() + DAY_MS, now.getTime())) : moment.at;
}

function startOfUtcDay(date: Date): Date {
  return new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS);
}

function tooLongAgo(maxDays: number): InputError {
  return new InputError('since', `since: reaches back at most ${maxDays} days.`, EXAMPLES.since);
}
