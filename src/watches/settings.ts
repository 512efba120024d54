import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Changed } from '../changes/change.ts';
import { ALL_FAILURES, FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../failures/filter.ts';
import type { WATCHED_VERDICTS } from '../failures/verdict.ts';
import { isAmong } from '../lib/fold.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { incidents, watches } from '../store/schema.ts';

/** `id`: `U…` or `S…`. */
export const Mention = z.object({ kind: z.enum(['person', 'user-group']), id: z.string() });
export type Mention = Readonly<z.output<typeof Mention>>;

/** Which failures are watched, in some environments or, if none is named, in all. Contacts in subscribers, contexts and tags are masked. */
export interface WatchFilter extends Omit<FailureFilter, 'transactions' | 'verdicts'> {
  readonly environments: readonly string[];
  readonly verdicts: readonly (typeof WATCHED_VERDICTS)[number][];
}

/** `rate`: at least this share of its workflows' events, 0 to 1. */
export interface Threshold {
  readonly failures: number;
  readonly withinMs: number;
  readonly rate: number | null;
}

/** Times of the day are in minutes. */
export interface WatchSettings {
  readonly filter: WatchFilter;
  readonly threshold: Threshold | null;
  /** The minimum time between alerts; 0: with each poll that has some. */
  readonly everyMs: number;
  readonly mention: Mention | null;
  readonly quiet: { readonly from: number; readonly to: number } | null;
  /** IANA name of the time zone of `quiet` and `summaryAt`. */
  readonly timeZone: string;
  readonly summaryAt: number | null;
  readonly hasThread: boolean;
  /** Whether the channel is told, not only the thread, when an incident is resolved. */
  readonly hasAllClear: boolean;
  readonly hasChanges: boolean;
}

export type Watch = Readonly<
  Pick<typeof watches.$inferSelect, 'id' | 'channel' | 'number' | 'createdAt' | 'createdBy' | 'tellsFrom' | 'settings'>
>;

/** Stored in these words. The watch that `NOTIF_DIGEST_CHANNEL` requires is reported once instead, and keeps trying. */
export const WATCH_ENDS = ['channel-archived', 'channel-left', 'channel-unknown', 'channel-restricted'] as const;
export type WatchEnd = (typeof WATCH_ENDS)[number];

const lists = { workflows: [], channels: [], providers: [], subscribers: [], severities: [], verdicts: [] };
export const EVERYTHING: WatchFilter = { environments: [], ...lists, topics: [], contexts: [], tags: [] };

/** 09:00 */
export const USUAL_SUMMARY_AT = 9 * 60;

/** Everything at once, with a daily summary: the configured watch's initial settings, and those of `/notif watch env:all`. */
export const UNFILTERED: WatchSettings = {
  filter: EVERYTHING,
  threshold: null,
  everyMs: 0,
  mention: null,
  quiet: null,
  timeZone: 'UTC',
  summaryAt: USUAL_SUMMARY_AT,
  hasThread: true,
  hasAllClear: false,
  hasChanges: false,
};

/** If no verdicts are given, warnings are counted like other failures. */
export function failureFilterOf({ environments: _, ...lists }: WatchFilter): FailureFilter {
  return { ...ALL_FAILURES, ...lists };
}

export function isAbout({ environments }: Pick<WatchFilter, 'environments'>, environment: string): boolean {
  return isAmong([environment], environments);
}

/** What of an incident a filter is matched with at once; which of its failures it covers is counted. */
export type Watchable = Pick<typeof incidents.$inferSelect, 'environment' | 'channel' | 'provider' | 'announcement'>;

/** A watch hears of warnings only if it asks for them. */
export function mayCover(filter: WatchFilter, { environment, channel, provider, announcement }: Watchable): boolean {
  return (
    isAbout(filter, environment) &&
    isAmong([channel], filter.channels) &&
    isAmong([provider], filter.providers) &&
    (announcement === 'announced' || (announcement === 'warning' && filter.verdicts.includes('warning')))
  );
}

export function wantsChange(filter: WatchFilter, what: Changed): boolean {
  switch (what.kind) {
    case 'deploy':
      return true;
    case 'integration':
      return isAmong([what.channel], filter.channels) && isAmong([what.provider], filter.providers);
    case 'workflow':
      return isAmong([what.identifier, what.name], filter.workflows);
  }
}

/** Whether a filter may match what the one before it didn't. */
export function coversMore(before: WatchFilter, after: WatchFilter): boolean {
  return (Object.keys(after) as (keyof WatchFilter)[]).some((name) => {
    const [was, is]: readonly (readonly string[])[] = [before[name], after[name]];
    if (was === undefined || is === undefined || was.length === 0) return false;
    return is.length === 0 || is.some((value) => !was.includes(value));
  });
}

/** As many values as one filter has. */
export const MOST_NAMES = 20;

export interface RenamedWorkflow {
  readonly identifier: string;
  readonly earlierName: string;
}

/** Adds identifiers; the earlier name stays, since another workflow may have it. Null if nothing changes, or the filter is full. */
export function followRenamed(
  filter: WatchFilter,
  environment: string,
  renamed: readonly RenamedWorkflow[],
): WatchFilter | null {
  const { workflows } = filter;
  if (!isAbout(filter, environment)) return null;
  const added = renamed
    .filter(({ identifier, earlierName }) => isAmong([earlierName], workflows) && !isAmong([identifier], workflows))
    .map(({ identifier }) => identifier);
  if (added.length === 0 || workflows.length + added.length > MOST_NAMES) return null;
  return { ...filter, workflows: [...workflows, ...added] };
}

/** Words settings as a command's filters. */
export function describeWatch(settings: WatchSettings): string {
  const quoted = (value: string) => (/^[\w./@:%<>^!-]+$/.test(value) ? value : `"${value}"`);
  const words = Object.entries(filtersOf(settings)).map(([key, values]) => `${key}:${values.map(quoted)}`);
  return words.join(' ');
}

/** Whether two watches of a channel alert alike, in whatever order they name values. A time zone that nobody named makes no difference. */
export function isSameWatch(a: WatchSettings, b: WatchSettings, isZoneNamed: boolean): boolean {
  const sorted = (settings: WatchSettings) =>
    Object.entries(filtersOf(settings)).map(([key, values]) => [key, values.toSorted()]);
  return isDeepStrictEqual(sorted(a), sorted(isZoneNamed ? b : { ...b, timeZone: a.timeZone }));
}

/** The filters of a watch's settings. Email addresses have to be replaced by subscribers first, because a watch has none. */
export type SettingsFilters = Omit<FilterMap, 'email'> & { readonly email?: never };

/** `parseWatchSettings` makes the same of these, whatever its defaults. */
export function filtersOf(settings: WatchSettings): SettingsFilters {
  const { filter, threshold, everyMs, mention, quiet, timeZone, summaryAt } = settings;
  const names = FILTER_NAMES.flatMap((name) =>
    name === 'transactions' ? [] : [[FAILURE_FILTERS[name].key, filter[name]] as const],
  );
  const { environments } = filter;
  const rate = threshold?.rate ?? null;
  const filters: SettingsFilters = {
    ...Object.fromEntries(names),
    env: environments.length === 0 ? [ALL_ENVIRONMENTS] : environments,
    min: threshold === null ? [] : [String(threshold.failures)],
    within: threshold === null ? [] : [durationOf(threshold.withinMs)],
    rate: rate === null ? [] : [`${percentOf(rate)}%`],
    every: everyMs === 0 ? [] : [durationOf(everyMs)],
    mention: mention === null ? [] : [mentionToken(mention)],
    quiet: quiet === null ? [] : [`${clockOf(quiet.from)}-${clockOf(quiet.to)}`],
    tz: [timeZone],
    summary: summaryAt === USUAL_SUMMARY_AT ? [] : [summaryAt === null ? 'off' : clockOf(summaryAt)],
    thread: settings.hasThread ? [] : ['off'],
    'all-clear': settings.hasAllClear ? ['on'] : [],
    changes: settings.hasChanges ? ['on'] : [],
  };
  return Object.fromEntries(Object.entries(filters).filter(([, values]) => values.length > 0));
}

/** `env:all`: a watch of every environment, including those configured later. */
export const ALL_ENVIRONMENTS = 'all';

export function clockOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function durationOf(ms: number): string {
  const minutes = ms / MINUTE_MS;
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

export function percentOf(rate: number): string {
  return String(Number((rate * 100).toFixed(2)));
}

/** Returns the text that Slack turns into a mention in a new message. */
function mentionToken({ kind, id }: Mention): `<${string}>` {
  return kind === 'person' ? `<@${id}>` : `<!subteam^${id}>`;
}
