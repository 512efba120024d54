import { keptLabels, keptSubscribers, typedVerdict } from '../failures/filter.ts';
import { WATCHED_VERDICTS } from '../failures/verdict.ts';
import type { EventReader } from '../lib/ctx.ts';
import { type Environment, environmentNamed } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import { EXAMPLES, type FilterKey, type FilterMap } from '../lib/input/filters.ts';
import { parseTimeZone } from '../lib/input/time-zone.ts';
import { EVENTS_LOOKED_AT, parseAddresses } from '../lib/input/typed-values.ts';
import { maskEmail } from '../lib/text/mask.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { parseDuration } from '../lib/time/time-range.ts';
import { subscribersWith } from '../lookups/typed-lookup.ts';
import { channelAsMeant } from '../service/query.ts';
import {
  ALL_ENVIRONMENTS,
  type Mention,
  MOST_NAMES,
  type SettingsFilters,
  type Threshold,
  UNFILTERED,
  type WatchFilter,
  type WatchSettings,
} from './settings.ts';

export const WATCH_KEYS = [
  ...['workflow', 'channel', 'provider', 'subscriber', 'email', 'severity', 'verdict', 'topic', 'context', 'tag'],
  ...['env', 'min', 'within', 'rate', 'every', 'mention', 'quiet', 'tz', 'summary', 'thread', 'all-clear', 'changes'],
] as const satisfies readonly FilterKey[];
export type WatchKey = (typeof WATCH_KEYS)[number];

export interface SettingsDefaults {
  readonly environments: readonly Environment[];
  /** The names of a watch's environments if `env:` isn't given; empty: all. */
  readonly usualEnvironments: readonly string[];
  readonly timeZone: string;
}

const USUAL_WITHIN_MS = 10 * MINUTE_MS;
const LONGEST_NAME = 100;
const MOST_FAILURES = 100_000;

/** A mention is a reference with an ID. Throws an `InputError` for the first value that is invalid or doesn't go with the others. */
export function parseWatchSettings(filters: SettingsFilters, defaults: SettingsDefaults): WatchSettings {
  const read = <T>(key: WatchKey, parse: (value: string) => T, otherwise: T): T => {
    const value = only(key, filters);
    return value === undefined ? otherwise : parse(value);
  };
  return {
    filter: parseFilter(filters, defaults),
    threshold: parseThreshold(filters),
    everyMs: read('every', (value) => parseMinutes('every', value), UNFILTERED.everyMs),
    mention: read('mention', parseMention, UNFILTERED.mention),
    quiet: read('quiet', parseQuiet, UNFILTERED.quiet),
    timeZone: read('tz', parseTimeZone, defaults.timeZone),
    summaryAt: read('summary', parseSummaryAt, UNFILTERED.summaryAt),
    hasThread: read('thread', (value) => parseSwitch('thread', value), UNFILTERED.hasThread),
    hasAllClear: read('all-clear', (value) => parseSwitch('all-clear', value), UNFILTERED.hasAllClear),
    hasChanges: read('changes', (value) => parseSwitch('changes', value), UNFILTERED.hasChanges),
  };
}

function parseFilter(filters: SettingsFilters, defaults: SettingsDefaults): WatchFilter {
  const names = (key: keyof SettingsFilters, as = (value: string) => value) =>
    parseNames(key, (filters[key] ?? []).map(as));
  return {
    environments: filters.env === undefined ? defaults.usualEnvironments : parseEnvironments(filters.env, defaults),
    workflows: names('workflow'),
    channels: names('channel', channelAsMeant),
    providers: names('provider'),
    // An ID can be a contact, or one that was masked before: the form has a watch's own IDs.
    subscribers: parseNames('subscriber', keptSubscribers(names('subscriber'))),
    severities: names('severity', (severity) => severity.toLowerCase()),
    verdicts: parseVerdicts(filters.verdict ?? []),
    topics: names('topic'),
    contexts: keptLabels(names('context')),
    tags: keptLabels(names('tag')),
  };
}

function parseEnvironments(typed: readonly string[], { environments }: SettingsDefaults): string[] {
  if (typed.some((name) => name.toLowerCase() === ALL_ENVIRONMENTS)) return [];
  return [...new Set(typed.map((name) => environmentNamed(name, environments).name))];
}

/** One failure is enough by default; null if that is all, whatever the time that it's in. */
function parseThreshold(filters: FilterMap): Threshold | null {
  const [min, within, rate] = [only('min', filters), only('within', filters), only('rate', filters)];
  const failures = min === undefined ? 1 : parseFailures(min);
  const withinMs = within === undefined ? USUAL_WITHIN_MS : parseMinutes('within', within);
  if (rate !== undefined) return { failures, withinMs, rate: parseRate(rate) };
  if (failures > 1) return { failures, withinMs, rate: null };
  if (within === undefined || min !== undefined) return null;
  throw new InputError('within', 'within: goes with min: or rate:.', 'min:5 within:10m');
}

function only(key: WatchKey, filters: FilterMap): string | undefined {
  const [value, ...others] = filters[key] ?? [];
  if (others.length > 0) throw wrong(key, 'takes one value');
  return value;
}

/** A watch has no addresses: they are replaced by their subscribers of now. Throws an `InputError`, or `ServiceError`. */
export async function settingsTyped(
  { serviceOf, now }: { readonly serviceOf: (environment: string) => EventReader; readonly now: () => Date },
  { email = [], ...typed }: FilterMap,
  defaults: SettingsDefaults,
): Promise<{ readonly settings: WatchSettings; readonly addresses: readonly AddressFound[] }> {
  const settings = parseWatchSettings(typed, defaults);
  const { environments: named } = settings.filter;
  const environments = named.length > 0 ? named : defaults.environments.map(({ name }) => name);
  const addresses = await Promise.all(
    parseAddresses(email).map(async (address) => {
      const found = await Promise.all(environments.map((name) => subscribersWith(address, serviceOf(name), now())));
      return { email: address, subscriberIds: [...new Set(found.flat())] };
    }),
  );
  const missing = addresses.filter(({ subscriberIds }) => subscriberIds.length === 0);
  if (missing.length > 0) {
    const masked = missing.map((address) => maskEmail(address.email)).join(', ');
    const message = `No subscriber of ${masked} found in the newest ${EVENTS_LOOKED_AT} events of ${environments.join(', ')}. Use subscriber: with the ID.`;
    throw new InputError('email', message, EXAMPLES.subscriber);
  }
  const subscriber = [...(typed.subscriber ?? []), ...addresses.flatMap(({ subscriberIds }) => subscriberIds)];
  return { settings: parseWatchSettings({ ...typed, subscriber }, defaults), addresses };
}

export interface AddressFound {
  readonly email: string;
  readonly subscriberIds: readonly string[];
}

export function parseNames(key: FilterKey, values: readonly string[]): string[] {
  const names = [...new Set(values.map((value) => value.replaceAll('"', '').trim()).filter((name) => name !== ''))];
  if (names.length > MOST_NAMES) throw wrong(key, `takes at most ${MOST_NAMES} values`);
  if (names.some((name) => name.length > LONGEST_NAME))
    throw wrong(key, `takes names of up to ${LONGEST_NAME} characters`);
  return names;
}

function parseVerdicts(values: readonly string[]): WatchFilter['verdicts'] {
  const verdicts = values.map((value) => {
    const verdict = typedVerdict(value);
    const found = WATCHED_VERDICTS.find((watched) => watched === verdict);
    if (found !== undefined) return found;
    throw wrong('verdict', `takes ${WATCHED_VERDICTS.join(', ')}; the others are only counted`);
  });
  return [...new Set(verdicts)];
}

function parseFailures(value: string): number {
  const failures = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (failures < 1 || failures > MOST_FAILURES) throw wrong('min', 'takes a number of failures, from 1 to 100,000');
  return failures;
}

/** Parses a percentage to a number above 0 and up to 1. */
function parseRate(value: string): number {
  const [, percent = ''] = value.match(/^(\d{1,3}(?:[.,]\d{1,2})?)\s*%?$/) ?? [];
  const rate = Math.round(Number(percent.replace(',', '.')) * 100) / 10_000;
  if (!(rate > 0 && rate <= 1)) throw wrong('rate', "takes a percentage of the workflow's events, up to 100%");
  return rate;
}

function parseMinutes(key: 'within' | 'every', value: string): number {
  if (key === 'every' && isOff(value)) return 0;
  const ms = parseDuration(value.toLowerCase());
  if (ms !== null && ms >= MINUTE_MS && ms <= DAY_MS && ms % MINUTE_MS === 0) return ms;
  throw wrong(key, `takes a time of whole minutes, from 1m to 24h`);
}

/** Parses what Slack makes of `@ann` and `@oncall`: a reference with an ID. Null for `off`. */
export function parseMention(value: string): Mention | null {
  if (isOff(value)) return null;
  const [, user, userGroup] = value.match(/^<(?:@([UW][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|[^<>]*)?>$/) ?? [];
  if (user !== undefined) return { kind: 'person', id: user };
  if (userGroup !== undefined) return { kind: 'user-group', id: userGroup };
  const rule = 'takes one person or user group, as Slack offers them after an @; not everybody, and no channel';
  throw wrong('mention', rule);
}

function parseQuiet(value: string): WatchSettings['quiet'] {
  if (isOff(value)) return null;
  const [from = null, to = null, ...others] = value.split('-').map(parseClock);
  if (from !== null && to !== null && from !== to && others.length === 0) return { from, to };
  throw wrong('quiet', 'takes two times of the day, or off');
}

function parseSummaryAt(value: string): number | null {
  if (isOff(value)) return null;
  const minutes = parseClock(value);
  if (minutes === null) throw wrong('summary', 'takes a time of the day, or off');
  return minutes;
}

function parseSwitch(key: FilterKey, value: string): boolean {
  if (isOff(value)) return false;
  if (value.trim().toLowerCase() === 'on') return true;
  throw wrong(key, 'takes on or off');
}

function isOff(value: string): boolean {
  return ['off', 'none', 'no'].includes(value.trim().toLowerCase());
}

const CLOCK = /^([01]?\d|2[0-3])(?::([0-5]\d))?$/;

/** Parses '9', '9:00' and '09:00' to minutes of the day; null for anything else. */
export function parseClock(text: string): number | null {
  const [, hours, minutes = '00'] = text.trim().match(CLOCK) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

function wrong(key: FilterKey, rule: string): InputError {
  return new InputError(key, `${key}: ${rule}.`, EXAMPLES[key]);
}
