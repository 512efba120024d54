import { isDeepStrictEqual } from 'node:util';
import { filterBy, filterMapOf, typedFilter } from '../judging/filter.ts';
import { WATCHED_VERDICTS } from '../judging/verdict.ts';
import { type Environment, environmentNamed } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import { EXAMPLES, FilterError, type FilterKey, type FilterMap, onlyValue } from '../lib/input/filters.ts';
import { parseTimeZone } from '../lib/input/time-zone.ts';
import { maskEmail } from '../lib/text/mask.ts';
import { DAY_MS, MINUTE_MS, parseDuration } from '../lib/time/durations.ts';
import { type EmailMatch, EVENTS_LOOKED_AT, type EventLister, subscribersByEmail } from '../service/typed-lookup.ts';
import { dayName, parseDays, parseWeekday } from './parse-days.ts';
import {
  type Mention,
  SILENCES,
  type Silence,
  type Threshold,
  USUAL_SETTINGS,
  USUAL_SUMMARY_AT,
  type WatchFilter,
  type WatchSettings,
} from './settings.ts';

const FILTERING = ['workflow', 'channel', 'provider', 'subscriber', 'email', 'severity', 'verdict'] as const;
const LABELS = ['topic', 'context', 'tag', 'domain', 'env'] as const;
const TIMING = ['min', 'within', 'rate', 'every', 'escalate', 'mention', 'quiet', 'quiet-days', 'tz'] as const;
const EXTRAS = ['summary', 'target', 'thread', 'all-clear', 'changes', 'silence'] as const;
export const WATCH_KEYS = [...FILTERING, ...LABELS, ...TIMING, ...EXTRAS] satisfies readonly FilterKey[];
export type WatchKey = (typeof WATCH_KEYS)[number];

interface Defaults {
  environments: readonly Environment[];
  timeZone: string;
}

export const ALL_ENVIRONMENTS = 'all';

interface Setting<Value> {
  key: WatchKey;
  parse(typed: string): Value;
  word(value: Value): string;
}

type Single = Omit<WatchSettings, 'filter' | 'threshold' | 'quietDays' | 'timeZone' | keyof SummaryTime>;

const SETTINGS: { [Name in keyof Single]: Setting<Single[Name]> } = {
  everyMs: {
    key: 'every',
    parse: (typed) => (isOff(typed) ? 0 : parseMinutes('every', typed)),
    word: (ms) => (ms === 0 ? 'off' : durationOf(ms)),
  },
  escalateMs: orOff('escalate', (typed) => parseMinutes('escalate', typed), durationOf),
  mention: orOff('mention', parseMention, tokenOf),
  quiet: orOff('quiet', parseQuiet, ({ from, to }) => `${clockOf(from)}-${clockOf(to)}`),
  target: orOff('target', parseTarget, (share) => `${percentOf(share)}%`),
  hasThread: onOff('thread'),
  hasAllClear: onOff('all-clear'),
  hasChanges: onOff('changes'),
  silence: { key: 'silence', parse: parseSilence, word: (silence) => silence },
};
const SINGLE = Object.keys(SETTINGS) as (keyof Single)[];

function orOff<Value>(key: WatchKey, parse: (typed: string) => Value, word: (value: Value) => string) {
  return {
    key,
    parse: (typed: string) => (isOff(typed) ? null : parse(typed)),
    word: (value: Value | null) => (value === null ? 'off' : word(value)),
  };
}

function onOff(key: WatchKey): Setting<boolean> {
  const parse = (typed: string) =>
    !isOff(typed) && (typed.trim().toLowerCase() === 'on' || wrong(key, 'takes on or off'));
  return { key, parse, word: (isOn) => (isOn ? 'on' : 'off') };
}

export function parseWatchSettings(filters: FilterMap, defaults: Defaults): WatchSettings {
  const single = SINGLE.map((name) => {
    const { key, parse } = SETTINGS[name];
    const value = onlyValue(key, filters);
    return [name, value === undefined ? USUAL_SETTINGS[name] : parse(value)] as const;
  });
  const [zone, summary] = [onlyValue('tz', filters), onlyValue('summary', filters)];
  const settings = {
    filter: parseFilter(filters, defaults),
    threshold: parseThreshold(filters),
    quietDays: parseQuietDays(filters['quiet-days'] ?? []),
    ...(summary === undefined ? USUAL_SUMMARY : parseSummary(summary)),
    timeZone: zone === undefined ? defaults.timeZone : parseTimeZone(zone),
    ...(Object.fromEntries(single) as Single),
  };
  if (settings.hasAllClear && !settings.hasThread) wrong('all-clear', 'is a reply in the thread, and needs thread:on');
  return settings;
}

/** Without what is as usual. */
export function filtersOf(settings: WatchSettings): FilterMap {
  const isUsual = (name: keyof Single) => isDeepStrictEqual(settings[name], USUAL_SETTINGS[name]);
  const usual = SINGLE.filter(isUsual).map((name): string => SETTINGS[name].key);
  if (summaryWord(settings) === summaryWord(USUAL_SETTINGS)) usual.push('summary');
  return Object.fromEntries(Object.entries(allFiltersOf(settings)).filter(([key]) => !usual.includes(key)));
}

export function allFiltersOf(settings: WatchSettings): FilterMap {
  const { filter, threshold, quietDays, timeZone } = settings;
  const word = <Name extends keyof Single>(name: Name): [WatchKey, string[]] => {
    return [SETTINGS[name].key, [SETTINGS[name].word(settings[name])]];
  };
  const filters: FilterMap = {
    ...filterMapOf(filter),
    env: filter.environments.length === 0 ? [ALL_ENVIRONMENTS] : filter.environments,
    ...(threshold && {
      min: [String(threshold.failures)],
      within: [durationOf(threshold.withinMs)],
      rate: threshold.rate === null ? [] : [`${percentOf(threshold.rate)}%`],
    }),
    ...Object.fromEntries(SINGLE.map(word)),
    'quiet-days': quietDays.map(dayName),
    summary: [summaryWord(settings)],
    tz: [timeZone],
  };
  return Object.fromEntries(Object.entries(filters).filter(([, values]) => values.length > 0));
}

export function describeWatch(settings: WatchSettings): string {
  const quoted = (value: string) => (/^[\w./@:%<>^!-]+$/.test(value) ? value : `"${value}"`);
  const words = Object.entries(filtersOf(settings)).map(([key, values]) => `${key}:${values.map(quoted)}`);
  return words.join(' ');
}

export function isSameWatch(a: WatchSettings, b: WatchSettings): boolean {
  const sorted = (settings: WatchSettings) =>
    Object.entries(filtersOf(settings)).map(([key, values]) => [key, values.toSorted()]);
  return isDeepStrictEqual(sorted(a), sorted(b));
}

function parseFilter(filters: FilterMap, { environments }: Defaults): WatchFilter {
  const typed = typedFilter(filters);
  const { verdicts, ...lists } = filterBy((name, { key }) => parseNames(key, typed[name]));
  const { env = [] } = filters;
  const isAll = env.some((name) => name.toLowerCase() === ALL_ENVIRONMENTS);
  return {
    ...lists,
    environments: isAll ? [] : [...new Set(env.map((name) => environmentNamed(name, environments).name))],
    verdicts: verdicts.map(parseVerdict),
  };
}

export function parseNames(key: FilterKey, values: readonly string[]): readonly string[] {
  const names = [...new Set(values.map((value) => value.replaceAll('"', '').trim()).filter((name) => name !== ''))];
  if (names.length > MOST_NAMES || names.some((name) => name.length > LONGEST_NAME))
    wrong(key, `takes at most ${MOST_NAMES} values of up to ${LONGEST_NAME} characters`);
  return names;
}

const MOST_NAMES = 20;
const LONGEST_NAME = 100;

function parseVerdict(value: string): WatchFilter['verdicts'][number] {
  const verdict = WATCHED_VERDICTS.find((watched) => watched === value);
  return verdict ?? wrong('verdict', `takes ${WATCHED_VERDICTS.join(', ')}; the others are only counted`);
}

function parseThreshold(filters: FilterMap): Threshold | null {
  const [min, within, rate] = [onlyValue('min', filters), onlyValue('within', filters), onlyValue('rate', filters)];
  const failures = parseFailures(min ?? '1');
  const withinMs = parseMinutes('within', within ?? '10m');
  if (rate !== undefined) return { failures, withinMs, rate: parseRate(rate) };
  if (failures > 1) return { failures, withinMs, rate: null };
  if (within === undefined || filters.min || filters.rate) return null;
  throw new FilterError('within', 'goes with min: or rate:.', 'min:5 within:10m');
}

function parseFailures(value: string) {
  const failures = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (failures >= 1 && failures <= 100_000) return failures;
  return wrong('min', 'takes a number of failures, from 1 to 100,000');
}

function parseRate(value: string): number {
  return shareIn(value, 2) ?? wrong('rate', "takes a percentage of the workflow's events, up to 100%");
}

/** Null: it's no percentage above 0% and up to 100%, with so many decimals at most. */
function shareIn(value: string, decimals: number): number | null {
  const [, whole, , fraction = ''] = /^(\d{1,3})([.,](\d+))?\s*%?$/.exec(value) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  const share = Number(`${whole}${fraction.padEnd(decimals, '0')}`) / 10 ** (decimals + 2);
  return share > 0 && share <= 1 ? share : null;
}

function parseMinutes(key: 'within' | 'every' | 'escalate', value: string) {
  const ms = parseDuration(value);
  if (ms !== null && ms >= MINUTE_MS && ms <= DAY_MS && ms % MINUTE_MS === 0) return ms;
  return wrong(key, 'takes a time of whole minutes, from 1m to 24h');
}

export function parseMention(value: string): Mention {
  const [, user, userGroup] = value.match(/^<(?:@([UW][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|[^<>]*)?>$/) ?? [];
  if (user !== undefined) return { kind: 'person', id: user };
  if (userGroup !== undefined) return { kind: 'user-group', id: userGroup };
  return wrong('mention', 'takes one person or user group, as Slack offers them after an @; not everybody, no channel');
}

function tokenOf({ kind, id }: Mention) {
  return kind === 'person' ? `<@${id}>` : `<!subteam^${id}>`;
}

function parseQuiet(value: string) {
  const [from = null, to = null, ...others] = value.split('-').map(parseClock);
  if (from !== null && to !== null && from !== to && others.length === 0) return { from, to };
  return wrong('quiet', 'takes two times of the day, or off');
}

function parseQuietDays(values: readonly string[]): readonly number[] {
  const days = values.every(isOff) ? [] : parseDays(values);
  if (days !== null && days.length < 7) return days;
  return wrong('quiet-days', 'takes days of the week, but not all of them, or off');
}

type SummaryTime = Pick<WatchSettings, 'summaryAt' | 'summaryDay'>;

const { summaryAt, summaryDay } = USUAL_SETTINGS;
const USUAL_SUMMARY: SummaryTime = { summaryAt, summaryDay };

/** `09:00`, `weekly-mon-09:00`, or off. */
function parseSummary(value: string): SummaryTime {
  if (isOff(value)) return { summaryAt: null, summaryDay: null };
  const [, weekly, day = '', clock = ''] = /^(weekly[- ]?([a-z]*)[- ]?)?([\d:]*)$/i.exec(value.trim()) ?? [];
  const at = clock === '' && weekly !== undefined ? USUAL_SUMMARY_AT : parseClock(clock);
  const weekday = weekly === undefined ? null : parseWeekday(day || 'mon');
  if (at !== null && (weekly === undefined || weekday !== null)) return { summaryAt: at, summaryDay: weekday };
  return wrong('summary', 'takes a time of the day, weekly-mon-09:00, or off');
}

function summaryWord({ summaryAt, summaryDay }: SummaryTime): string {
  if (summaryAt === null) return 'off';
  return summaryDay === null ? clockOf(summaryAt) : `weekly-${dayName(summaryDay)}-${clockOf(summaryAt)}`;
}

function parseTarget(value: string): number {
  return shareIn(value.trim(), 3) ?? wrong('target', 'takes the percentage of attempts that should succeed, or off');
}

function parseSilence(value: string): Silence {
  const typed = isOff(value) ? 'off' : value.trim().toLowerCase();
  return SILENCES.find((silence) => silence === typed) ?? wrong('silence', 'takes critical, all or off');
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

function durationOf(ms: number): string {
  const minutes = ms / MINUTE_MS;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

export const percentOf = (rate: number): string => String(Number((rate * 100).toFixed(3)));

function wrong(key: FilterKey, rule: string): never {
  throw new FilterError(key, `${rule}.`);
}

export interface ResolveCtx {
  environments: readonly Environment[];
  serviceOf: (environment: string) => EventLister;
  now: () => Date;
}

interface ResolvedSettings {
  settings: WatchSettings;
  addresses: readonly EmailMatch[];
}

export async function resolveSettings(
  ctx: ResolveCtx,
  { email = [], ...typed }: FilterMap,
  timeZone: string = 'UTC',
): Promise<ResolvedSettings> {
  const defaults = { ...ctx, timeZone };
  const settings = parseWatchSettings(typed, defaults);
  // Emails are looked up in these environments.
  const { environments: named } = settings.filter;
  const environments = named.length > 0 ? named : ctx.environments.map(({ name }) => name);
  const addresses = await subscribersByEmail(email, environments.map(ctx.serviceOf), ctx.now());
  const missing = addresses.filter(({ subscriberIds }) => subscriberIds.length === 0);
  if (missing.length > 0) {
    const masked = missing.map((address) => maskEmail(address.email)).join(', ');
    const where = `the newest ${EVENTS_LOOKED_AT} events of ${environments.join(', ')}`;
    const message = `No subscriber of ${masked} found in ${where}. Use subscriber: with the ID.`;
    throw new InputError('email', message, EXAMPLES.subscriber);
  }
  const subscriber = [...(typed.subscriber ?? []), ...addresses.flatMap(({ subscriberIds }) => subscriberIds)];
  return { settings: parseWatchSettings({ ...typed, subscriber }, defaults), addresses };
}
