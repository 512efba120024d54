import { isDeepStrictEqual } from 'node:util';
import { FAILURE_FILTERS, FILTER_NAMES, filterBy, filterMapOf, typedFilter } from '../judging/filter.ts';
import { type Environment, environmentNamed } from '../lib/environment.ts';
import { type FilterKey, type FilterMap, onlyValue } from '../lib/input/filters.ts';
import { parseTimeZone } from '../lib/input/time-zone.ts';
import {
  clockOf,
  dayName,
  durationOf,
  isOff,
  mentionMarkup,
  parseMention,
  parseMinutes,
  parseNames,
  parseQuiet,
  parseQuietDays,
  parseSilence,
  parseSummary,
  parseTarget,
  parseThreshold,
  parseVerdict,
  percentOf,
  refuse,
  type SummaryTime,
  summaryWord,
} from './setting-values.ts';
import { USUAL_SETTINGS, type WatchFilter, type WatchSettings } from './settings.ts';

/** A watch is about what is to come, of which nobody knows the transaction. */
const FILTERING = FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key).filter((key) => key !== 'tx');
const TIMING = ['min', 'within', 'rate', 'every', 'escalate', 'mention', 'quiet', 'quiet-days', 'tz'] as const;
const EXTRAS = ['summary', 'target', 'thread', 'all-clear', 'changes', 'silence'] as const;
export const WATCH_KEYS = [
  ...FILTERING,
  ...(['email', 'env'] as const),
  ...TIMING,
  ...EXTRAS,
] satisfies readonly FilterKey[];
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

/** Settings of one key each. */
type Single = Omit<WatchSettings, 'filter' | 'threshold' | 'quietDays' | 'timeZone' | keyof SummaryTime>;

const SETTINGS: { [Name in keyof Single]: Setting<Single[Name]> } = {
  everyMs: {
    key: 'every',
    parse: (typed) => (isOff(typed) ? 0 : parseMinutes('every', typed)),
    word: (ms) => (ms === 0 ? 'off' : durationOf(ms)),
  },
  escalateMs: orOff('escalate', (typed) => parseMinutes('escalate', typed), durationOf),
  mention: orOff('mention', parseMention, mentionMarkup),
  quiet: orOff('quiet', parseQuiet, ({ from, to }) => `${clockOf(from)}-${clockOf(to)}`),
  target: orOff('target', parseTarget, (share) => `${percentOf(share)}%`),
  hasThread: onOff('thread'),
  hasAllClear: onOff('all-clear'),
  hasChanges: onOff('changes'),
  silence: { key: 'silence', parse: parseSilence, word: (silence) => silence },
};
const SINGLE = Object.keys(SETTINGS) as (keyof Single)[];

const USUAL_SUMMARY: SummaryTime = {
  summaryAt: USUAL_SETTINGS.summaryAt,
  summaryDay: USUAL_SETTINGS.summaryDay,
};

function orOff<Value>(key: WatchKey, parse: (typed: string) => Value, word: (value: Value) => string) {
  return {
    key,
    parse: (typed: string) => (isOff(typed) ? null : parse(typed)),
    word: (value: Value | null) => (value === null ? 'off' : word(value)),
  };
}

function onOff(key: WatchKey): Setting<boolean> {
  const parse = (typed: string) => {
    if (isOff(typed)) return false;
    return typed.trim().toLowerCase() === 'on' || refuse(key, 'takes on or off');
  };
  return { key, parse, word: (isOn) => (isOn ? 'on' : 'off') };
}

export function parseWatchSettings(filters: FilterMap, defaults: Defaults): WatchSettings {
  const single = SINGLE.map((name) => {
    const { key, parse } = SETTINGS[name];
    const value = onlyValue(key, filters);
    return [name, value === undefined ? USUAL_SETTINGS[name] : parse(value)] as const;
  });
  const zone = onlyValue('tz', filters);
  const summary = onlyValue('summary', filters);
  const settings = {
    filter: parseFilter(filters, defaults),
    threshold: parseThreshold(filters),
    quietDays: parseQuietDays(filters['quiet-days'] ?? []),
    ...(summary === undefined ? USUAL_SUMMARY : parseSummary(summary)),
    timeZone: zone === undefined ? defaults.timeZone : parseTimeZone(zone),
    ...(Object.fromEntries(single) as Single),
  };
  if (settings.hasAllClear && !settings.hasThread) refuse('all-clear', 'is a reply in the thread, and needs thread:on');
  return settings;
}

/** What people would type for the settings, without what is as usual. */
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
