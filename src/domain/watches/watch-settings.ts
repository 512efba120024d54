import { createHash } from 'node:crypto';
import { type Environment, environmentNamed } from '../environment.ts';
import { InputError } from '../errors.ts';
import { keptLabels, keptSubscribers } from '../failures/failure-filter.ts';
import { parseAddresses } from '../input/addresses.ts';
import { EXAMPLES, type FilterKey, type FilterMap, parseCommandText } from '../input/filters.ts';
import { parseTimeZone } from '../input/time-zone.ts';
import { type Threshold, UNFILTERED, type WatchFilter, type WatchSettings } from './watch.ts';
import * as values from './watch-values.ts';
import { clockOf, durationOf, mentionToken, percentOf, quietOf } from './watch-values.ts';

export const WATCH_KEYS = [
  'workflow',
  'channel',
  'provider',
  'subscriber',
  'email',
  'severity',
  'verdict',
  'topic',
  'context',
  'tag',
  'env',
  'min',
  'within',
  'rate',
  'every',
  'mention',
  'quiet',
  'tz',
  'summary',
  'thread',
  'changes',
] as const satisfies readonly FilterKey[];

export type WatchKey = (typeof WATCH_KEYS)[number];

export interface SettingsDefaults {
  readonly environments: readonly Environment[];
  /** The names of a watch's environments if `env:` isn't given; empty: all. */
  readonly usualEnvironments: readonly string[];
  readonly timeZone: string;
}

const USUAL_WITHIN_MS = 10 * 60_000;

/** The filters of a watch's settings. Email addresses have to be replaced by subscribers first, because a watch has none. */
export type SettingsFilters = Omit<FilterMap, 'email'> & { readonly email?: never };

/** A mention is a reference with an ID. Throws an `InputError` for the first value that is invalid or doesn't go with the others. */
export function parseWatchSettings(filters: SettingsFilters, defaults: SettingsDefaults): WatchSettings {
  const one = <T>(key: WatchKey, read: (value: string) => T, otherwise: T): T => {
    const value = only(key, filters);
    return value === undefined ? otherwise : read(value);
  };
  return {
    filter: readWatchFilter(filters, defaults),
    threshold: readThreshold(filters),
    everyMs: one('every', values.parseEvery, UNFILTERED.everyMs),
    mention: one('mention', values.parseMention, UNFILTERED.mention),
    quiet: one('quiet', values.parseQuiet, UNFILTERED.quiet),
    timeZone: one('tz', parseTimeZone, defaults.timeZone),
    summaryAt: one('summary', values.parseSummaryAt, UNFILTERED.summaryAt),
    hasThread: one('thread', (value) => values.parseSwitch('thread', value), UNFILTERED.hasThread),
    hasChanges: one('changes', (value) => values.parseSwitch('changes', value), UNFILTERED.hasChanges),
  };
}

function readWatchFilter(filters: SettingsFilters, defaults: SettingsDefaults): WatchFilter {
  return {
    environments: filters.env === undefined ? defaults.usualEnvironments : parseEnvironments(filters.env, defaults),
    workflows: values.parseNames('workflow', filters.workflow ?? []),
    channels: values.parseChannels(filters.channel ?? []),
    providers: values.parseNames('provider', filters.provider ?? []),
    subscribers: readSubscribers(filters),
    severities: values.parseNames(
      'severity',
      (filters.severity ?? []).map((severity) => severity.toLowerCase()),
    ),
    verdicts: values.parseVerdicts(filters.verdict ?? []),
    topics: values.parseNames('topic', filters.topic ?? []),
    contexts: keptLabels(values.parseNames('context', filters.context ?? [])),
    tags: keptLabels(values.parseNames('tag', filters.tag ?? [])),
  };
}

/** An ID can be a contact, or one that was masked before: the form has a watch's own IDs. */
function readSubscribers({ subscriber = [] }: FilterMap): string[] {
  return values.parseNames('subscriber', keptSubscribers(values.parseNames('subscriber', subscriber)));
}

/** Throws an `InputError` for the filter of `/notif failures` that a watch can't have: why, and what to use instead. */
export function refuseUnwatchable({ tx }: FilterMap): void {
  if (tx === undefined) return;
  throw new InputError(
    'tx',
    "/notif watch can't filter by tx:, because a watch covers failures to come, and a transaction has already been triggered. Use /notif failures.",
    `/notif failures ${EXAMPLES.tx}`,
  );
}

/** `env:all`: a watch of every environment, including those configured later. */
const ALL_ENVIRONMENTS = 'all';

function parseEnvironments(typed: readonly string[], { environments }: SettingsDefaults): string[] {
  if (typed.some((name) => name.toLowerCase() === ALL_ENVIRONMENTS)) return [];
  return [...new Set(typed.map((name) => environmentNamed(name, environments).name))];
}

/** One failure is enough by default; null if that is all, whatever the time that it's in. */
function readThreshold(filters: FilterMap): Threshold | null {
  const [min, within, rate] = [only('min', filters), only('within', filters), only('rate', filters)];
  const failures = min === undefined ? 1 : values.parseFailures(min);
  const withinMs = within === undefined ? USUAL_WITHIN_MS : values.parseWithin(within);
  if (rate !== undefined) return { failures, withinMs, rate: values.parseRate(rate) };
  if (failures > 1) return { failures, withinMs, rate: null };
  if (within === undefined || min !== undefined) return null;
  throw new InputError('within', 'within: goes with min: or rate:.', 'min:5 within:10m');
}

function only(key: WatchKey, filters: FilterMap): string | undefined {
  const [value, ...others] = filters[key] ?? [];
  if (others.length > 0) throw new InputError(key, `${key}: takes one value.`, EXAMPLES[key]);
  return value;
}

/** Returns all mistakes in a form: fields that are invalid by themselves or, if none is, what doesn't go together. Empty if it's valid. */
export function problemsWith(filters: FilterMap, defaults: SettingsDefaults): InputError[] {
  const inFields = WATCH_KEYS.flatMap((key) => problemsIn(aloneIn(key, filters), defaults));
  return inFields.length > 0 ? inFields : problemsIn(filters, defaults);
}

/** Returns a field without the others; `within:` with the minimum that it requires. */
function aloneIn(key: WatchKey, filters: FilterMap): FilterMap {
  const value = filters[key];
  if (value === undefined) return {};
  return key === 'within' ? { within: value, min: ['2'] } : { [key]: value };
}

function problemsIn({ email = [], ...filters }: FilterMap, defaults: SettingsDefaults): InputError[] {
  try {
    parseAddresses(email);
    parseWatchSettings(filters, defaults);
    return [];
  } catch (error) {
    if (error instanceof InputError) return [error];
    throw error;
  }
}

/** Words settings as a command's filters, for people. `commandOf` is for those who type it. */
export function describeWatch(settings: WatchSettings): string {
  return wordsOf(settings, (values) => values).join(' ');
}

/** Null if no command makes the same: parsing one undoes what phones and Slack change in typed text, also where a name has it. */
export function commandOf(settings: WatchSettings): string | null {
  const text = `/notif watch ${describeWatch(settings)}`;
  return isReadAs(text, filtersOf(settings)) ? text : null;
}

function isReadAs(text: string, filters: FilterMap): boolean {
  try {
    return JSON.stringify(parseCommandText(text).filters) === JSON.stringify(filters);
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Returns 16 hex digits that distinguish settings. The order of a filter's values makes no difference. */
export function settingsKey(settings: WatchSettings): string {
  const words = wordsOf(settings, (values) => values.toSorted()).join(' ');
  return createHash('sha256').update(words).digest('hex').slice(0, 16);
}

type Order = (values: readonly string[]) => readonly string[];

function wordsOf(settings: WatchSettings, order: Order): string[] {
  const names = Object.entries(namesOf(settings)).map(
    ([key, values]) => `${key}:${order(values).map(quoted).join(',')}`,
  );
  const others = Object.entries(othersOf(settings)).map(([key, values]) => `${key}:${values.join(',')}`);
  return [...names, ...others];
}

/** `parseWatchSettings` makes the same of these, whatever its defaults. */
export function filtersOf(settings: WatchSettings): SettingsFilters {
  return { ...namesOf(settings), ...othersOf(settings) };
}

function namesOf({ filter }: WatchSettings): SettingsFilters {
  return given({
    workflow: filter.workflows,
    channel: filter.channels,
    provider: filter.providers,
    subscriber: filter.subscribers,
    severity: filter.severities,
    verdict: filter.verdicts,
    topic: filter.topics,
    context: filter.contexts,
    tag: filter.tags,
    env: filter.environments.length === 0 ? [ALL_ENVIRONMENTS] : filter.environments,
  });
}

function othersOf(settings: WatchSettings): SettingsFilters {
  const { threshold, everyMs, mention, quiet, timeZone, summaryAt, hasThread, hasChanges } = settings;
  return given({
    min: threshold === null ? [] : [String(threshold.failures)],
    within: threshold === null ? [] : [durationOf(threshold.withinMs)],
    rate: threshold === null || threshold.rate === null ? [] : [`${percentOf(threshold.rate)}%`],
    every: everyMs === 0 ? [] : [durationOf(everyMs)],
    mention: mention === null ? [] : [mentionToken(mention)],
    quiet: quiet === null ? [] : [quietOf(quiet)],
    tz: [timeZone],
    summary: summaryAt === UNFILTERED.summaryAt ? [] : [summaryAt === null ? 'off' : clockOf(summaryAt)],
    thread: hasThread ? [] : ['off'],
    changes: hasChanges ? ['on'] : [],
  });
}

function given(filters: SettingsFilters): SettingsFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, values]) => values.length > 0));
}

/** Whether somebody named a watch's time zone, or it follows from who asks or from the channel. */
export type ZoneNaming = 'said' | 'unsaid';

/** Returns whether two watches of a channel would alert alike. With `zone: 'unsaid'`, a time zone that nobody named makes no difference. */
export function isSameWatch(a: WatchSettings, b: WatchSettings, zone: ZoneNaming): boolean {
  return settingsKey(a) === settingsKey(zone === 'said' ? b : { ...b, timeZone: a.timeZone });
}

function quoted(name: string): string {
  return /^[\w./@-]+$/.test(name) ? name : `"${name}"`;
}
