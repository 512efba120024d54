import { channelAsMeant } from '../delivery-channels.ts';
import { InputError } from '../errors.ts';
import { typedVerdict } from '../failures/typed-filter.ts';
import { WATCHED_VERDICTS, type WatchedVerdict } from '../failures/verdict.ts';
import { EXAMPLES, type FilterKey } from '../input/filters.ts';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';
import { parseDuration } from '../time/time-range.ts';
import { hourOf } from '../time/typed-moment.ts';
import type { QuietTime } from '../time/wall-clock.ts';
import type { Mention } from './watch.ts';

/** Each function parses what was typed for one key of a watch, and throws an `InputError` that names the key, with an example. */

export const MOST_NAMES = 20;
const LONGEST_NAME = 100;
const MOST_FAILURES = 100_000;

type Values = readonly string[];

export function parseNames(key: FilterKey, values: Values): string[] {
  const names = [...new Set(values.map((value) => value.replaceAll('"', '').trim()).filter((name) => name !== ''))];
  if (names.length > MOST_NAMES) throw wrong(key, `takes at most ${MOST_NAMES} values`);
  if (names.some((name) => name.length > LONGEST_NAME))
    throw wrong(key, `takes names of up to ${LONGEST_NAME} characters`);
  return names;
}

export function parseChannels(values: Values): string[] {
  return parseNames('channel', values.map(channelAsMeant));
}

export function parseVerdicts(values: Values): WatchedVerdict[] {
  return [...new Set(values.map(readVerdict))];
}

function readVerdict(value: string): WatchedVerdict {
  const verdict = typedVerdict(value);
  const found = WATCHED_VERDICTS.find((watched) => watched === verdict);
  if (found === undefined) throw wrong('verdict', `takes ${WATCHED_VERDICTS.join(', ')}; the others are only counted`);
  return found;
}

/** Parses a whole number of failures, from 1. */
export function parseFailures(value: string): number {
  const failures = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (failures < 1 || failures > MOST_FAILURES) throw wrong('min', 'takes a number of failures, from 1 to 100,000');
  return failures;
}

/** Parses whole minutes, up to a day, to milliseconds. */
export function parseWithin(value: string): number {
  const ms = parseDuration(value.toLowerCase());
  if (ms === null || ms < MINUTE_MS || ms > DAY_MS || ms % MINUTE_MS !== 0) {
    throw wrong('within', 'takes a time of whole minutes, from 1m to 24h');
  }
  return ms;
}

/** Parses a percentage to a number above 0 and up to 1. */
export function parseRate(value: string): number {
  const [, percent = ''] = value.match(/^(\d{1,3}(?:[.,]\d{1,2})?)\s*%?$/) ?? [];
  const rate = Math.round(Number(percent.replace(',', '.')) * 100) / 10_000;
  if (!(rate > 0 && rate <= 1)) throw wrong('rate', "takes a percentage of the workflow's events, up to 100%");
  return rate;
}

/** Parses up to a day, 0 for `off`, to milliseconds. */
export function parseEvery(value: string): number {
  if (isOff(value)) return 0;
  const ms = parseDuration(value.toLowerCase());
  if (ms === null || ms < MINUTE_MS || ms > DAY_MS || ms % MINUTE_MS !== 0) {
    throw wrong('every', 'takes a time of whole minutes, from 1m to 24h, or off');
  }
  return ms;
}

/** Parses what Slack makes of `@ann` and `@oncall`: a reference with an ID. Null for `off`. */
export function parseMention(value: string): Mention | null {
  if (isOff(value)) return null;
  const [, user, group] = value.match(/^<(?:@([UW][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|[^<>]*)?>$/) ?? [];
  if (user !== undefined) return { kind: 'person', id: user };
  if (group !== undefined) return { kind: 'user-group', id: group };
  throw wrong(
    'mention',
    'takes one person or user group, as Slack offers them after an @; not everybody, and no channel',
  );
}

export function parseQuiet(value: string): QuietTime | null {
  if (isOff(value)) return null;
  const [from = null, to = null, ...others] = value.split('-').map(parseClock);
  if (from === null || to === null || from === to || others.length > 0) {
    throw wrong('quiet', 'takes two times of the day, or off');
  }
  return { from, to };
}

/** Parses a time of the day to minutes; null for `off`. */
export function parseSummaryAt(value: string): number | null {
  if (isOff(value)) return null;
  const minutes = parseClock(value);
  if (minutes === null) throw wrong('summary', 'takes a time of the day, or off');
  return minutes;
}

export function parseSwitch(key: FilterKey, value: string): boolean {
  if (isOff(value)) return false;
  if (value.trim().toLowerCase() === 'on') return true;
  throw wrong(key, 'takes on or off');
}

const CLOCK = /^(\d{1,2})(?::([0-5]\d))?(?:\s*([ap])\.?m\.?)?$/;

/** Parses '9', '9:00', '09:00', '9am' and '9:00 pm' to minutes of the day; null for anything else. */
export function parseClock(text: string): number | null {
  const [, hours, minutes = '00', half] = text.trim().toLowerCase().match(CLOCK) ?? [];
  const hour = hours === undefined ? null : hourOf(Number(hours), half);
  return hour === null ? null : hour * 60 + Number(minutes);
}

export function clockOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

export function quietOf({ from, to }: QuietTime): string {
  return `${clockOf(from)}-${clockOf(to)}`;
}

export function durationOf(ms: number): string {
  const minutes = ms / MINUTE_MS;
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

export function percentOf(rate: number): string {
  return String(Number((rate * 100).toFixed(2)));
}

/** Returns the text that Slack turns into a mention in a new message. */
export function mentionToken({ kind, id }: Mention): `<${string}>` {
  return kind === 'person' ? `<@${id}>` : `<!subteam^${id}>`;
}

function isOff(value: string): boolean {
  return ['off', 'none', 'no'].includes(value.trim().toLowerCase());
}

function wrong(key: FilterKey, rule: string): InputError {
  return new InputError(key, `${key}: ${rule}.`, EXAMPLES[key]);
}
