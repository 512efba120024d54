import { WATCHED_VERDICTS } from '../judging/verdict.ts';
import { FilterError, type FilterKey, type FilterMap, onlyValue } from '../lib/input/filters.ts';
import { DAY_MS, MINUTE_MS, parseDuration } from '../lib/time/durations.ts';
import type { ClockRange } from '../lib/time/wall-clock.ts';
import {
  type Mention,
  SILENCES,
  type Silence,
  type Threshold,
  USUAL_SUMMARY_AT,
  type WatchFilter,
  type WatchSettings,
} from './settings.ts';

// Turns what is typed for each setting of a watch into its value, and back.

const MOST_NAMES = 20;
const LONGEST_NAME = 100;
/** From Sunday on: the word that Notif writes, and others that people type. */
const WEEKDAYS: readonly (readonly [word: string, ...others: string[]])[] = [
  ['sun', 'sunday'],
  ['mon', 'monday'],
  ['tue', 'tues', 'tuesday'],
  ['wed', 'weds', 'wednesday'],
  ['thu', 'thur', 'thurs', 'thursday'],
  ['fri', 'friday'],
  ['sat', 'saturday'],
];

export function refuse(key: FilterKey, rule: string): never {
  throw new FilterError(key, `${rule}.`);
}

export function parseNames(key: FilterKey, values: readonly string[]): readonly string[] {
  const names = [...new Set(values.map((value) => value.replaceAll('"', '').trim()).filter((name) => name !== ''))];
  if (names.length > MOST_NAMES || names.some((name) => name.length > LONGEST_NAME))
    refuse(key, `takes at most ${MOST_NAMES} values of up to ${LONGEST_NAME} characters`);
  return names;
}

export function parseVerdict(value: string): WatchFilter['verdicts'][number] {
  const verdict = WATCHED_VERDICTS.find((watched) => watched === value);
  return verdict ?? refuse('verdict', `takes ${WATCHED_VERDICTS.join(', ')}; the others are only counted`);
}

export function parseThreshold(filters: FilterMap): Threshold | null {
  const min = onlyValue('min', filters);
  const within = onlyValue('within', filters);
  const rate = onlyValue('rate', filters);
  const failures = parseFailures(min ?? '1');
  const withinMs = parseMinutes('within', within ?? '10m');
  if (rate !== undefined) return { failures, withinMs, rate: parseRate(rate) };
  if (failures > 1) return { failures, withinMs, rate: null };
  // In a form, a field that is wrong is emptied while the others are checked: `within` may go with that one.
  const isAlone = filters.min === undefined && filters.rate === undefined;
  if (within !== undefined && isAlone) throw new FilterError('within', 'goes with min: or rate:.', 'min:5 within:10m');
  // A single failure is no threshold.
  return null;
}

function parseFailures(value: string): number {
  const failures = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (failures >= 1 && failures <= 100_000) return failures;
  return refuse('min', 'takes a number of failures, from 1 to 100,000');
}

function parseRate(value: string): number {
  return shareIn(value, 2) ?? refuse('rate', "takes a percentage of the workflow's events, up to 100%");
}

/** Returns null if it's no percentage above 0% and up to 100%, with so many decimals at most. */
function shareIn(value: string, decimals: number): number | null {
  const [, whole, , fraction = ''] = /^(\d{1,3})([.,](\d+))?\s*%?$/.exec(value) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  const share = Number(`${whole}${fraction.padEnd(decimals, '0')}`) / 10 ** (decimals + 2);
  return share > 0 && share <= 1 ? share : null;
}

export function parseMinutes(key: 'within' | 'every' | 'escalate', value: string): number {
  const ms = parseDuration(value);
  if (ms !== null && ms >= MINUTE_MS && ms <= DAY_MS && ms % MINUTE_MS === 0) return ms;
  return refuse(key, 'takes a time of whole minutes, from 1m to 24h');
}

export function parseMention(value: string): Mention {
  const [, user, userGroup] = value.match(/^<(?:@([UW][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|[^<>]*)?>$/) ?? [];
  if (user !== undefined) return { kind: 'person', id: user };
  if (userGroup !== undefined) return { kind: 'user-group', id: userGroup };
  return refuse(
    'mention',
    'takes one person or user group, as Slack offers them after an @; not everybody, no channel',
  );
}

export function mentionMarkup({ kind, id }: Mention): string {
  return kind === 'person' ? `<@${id}>` : `<!subteam^${id}>`;
}

export function parseQuiet(value: string): ClockRange {
  const [from = null, to = null, ...others] = value.split('-').map(parseClock);
  if (from !== null && to !== null && from !== to && others.length === 0) return { from, to };
  return refuse('quiet', 'takes two times of the day, or off');
}

export function parseQuietDays(values: readonly string[]): readonly number[] {
  const days = values.every(isOff) ? [] : parseDays(values);
  if (days !== null && days.length < 7) return days;
  return refuse('quiet-days', 'takes days of the week, but not all of them, or off');
}

export type SummaryTime = Pick<WatchSettings, 'summaryAt' | 'summaryDay'>;

const SUMMARY_RULE = 'takes a time of the day, weekly-mon-09:00, or off';

/** `09:00`, `weekly-mon-09:00`, or off. */
export function parseSummary(value: string): SummaryTime {
  if (isOff(value)) return { summaryAt: null, summaryDay: null };
  const [, weekly, day = '', clock = ''] = /^(weekly[- ]?([a-z]*)[- ]?)?([\d:]*)$/i.exec(value.trim()) ?? [];
  if (weekly === undefined)
    return { summaryAt: parseClock(clock) ?? refuse('summary', SUMMARY_RULE), summaryDay: null };
  const at = clock === '' ? USUAL_SUMMARY_AT : parseClock(clock);
  return {
    summaryAt: at ?? refuse('summary', SUMMARY_RULE),
    summaryDay: parseWeekday(day || 'mon') ?? refuse('summary', SUMMARY_RULE),
  };
}

export function summaryWord({ summaryAt, summaryDay }: SummaryTime): string {
  if (summaryAt === null) return 'off';
  return summaryDay === null ? clockOf(summaryAt) : `weekly-${dayName(summaryDay)}-${clockOf(summaryAt)}`;
}

export function parseTarget(value: string): number {
  return shareIn(value.trim(), 3) ?? refuse('target', 'takes the percentage of attempts that should succeed, or off');
}

export function parseSilence(value: string): Silence {
  const typed = isOff(value) ? 'off' : value.trim().toLowerCase();
  return SILENCES.find((silence) => silence === typed) ?? refuse('silence', 'takes critical, all or off');
}

export const isOff = (value: string): boolean => ['off', 'none', 'no'].includes(value.trim().toLowerCase());

/** Returns minutes of the day. */
export function parseClock(text: string): number | null {
  const [, hours, minutes = '00'] = text.trim().match(/^([01]?\d|2[0-3])(?::([0-5]\d))?$/) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

export function clockOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((number) => String(number).padStart(2, '0')).join(':');
}

export function durationOf(ms: number): string {
  const minutes = ms / MINUTE_MS;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

export const percentOf = (rate: number): string => String(Number((rate * 100).toFixed(3)));

/** Returns 0 for Sunday. */
export function parseWeekday(text: string): number | null {
  const day = WEEKDAYS.findIndex((words) => words.includes(text.trim().toLowerCase()));
  return day === -1 ? null : day;
}

/** `sat`, `sat-sun` and `fri-mon`, in the week's order from Monday; null: some of it isn't a day. */
function parseDays(texts: readonly string[]): readonly number[] | null {
  const days = texts.map((text) => {
    const [from = null, to = from, ...others] = text.split('-').map(parseWeekday);
    if (from === null || to === null || others.length > 0) return null;
    const length = (to - from + 7) % 7;
    return Array.from({ length: length + 1 }, (_, after) => (from + after) % 7);
  });
  if (days.includes(null)) return null;
  const all = new Set(days.flatMap((some) => some ?? []));
  return [1, 2, 3, 4, 5, 6, 0].filter((day) => all.has(day));
}

export const dayName = (day: number): string => WEEKDAYS[day]?.[0] ?? '';
