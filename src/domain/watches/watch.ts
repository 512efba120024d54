import { ALL_FAILURES, type FailureFilter } from '../failures/failure-filter.ts';
import type { FailureVerdict, WatchedVerdict } from '../failures/verdict.ts';
import { isAmong } from '../fold.ts';
import type { QuietTime } from '../time/wall-clock.ts';

/** A Slack channel's subscription to groups: which, from how many on, how often, whom to mention, and when to be quiet. */
export interface Watch {
  readonly id: string;
  readonly channel: string;
  readonly createdAt: Date;
  /** Who made it; null for the one that `NOTIF_DIGEST_CHANNEL` asks for. */
  readonly createdBy: string | null;
  readonly settings: WatchSettings;
}

/** What can be said of a watch, and changed. */
export interface WatchSettings {
  readonly filter: WatchFilter;
  readonly threshold: Threshold | null;
  /** A digest comes at most once in this time; 0: with each poll that has something to tell. */
  readonly everyMs: number;
  readonly mention: Mention | null;
  readonly quiet: QuietTime | null;
  /** IANA name: what `quiet` and `summaryAt` are meant in. */
  readonly timeZone: string;
  /** The wall-clock time of the daily summary, in minutes of the day; null for none. */
  readonly summaryAt: number | null;
  /** Whether the thread of a message carries the history of the incidents that it announced. */
  readonly hasThread: boolean;
  /** Whether it shows what is changed around its environments. */
  readonly hasChanges: boolean;
}

/** Which groups are watched. An empty list takes all; names are compared without case. */
export interface WatchFilter {
  readonly environments: readonly string[];
  /** Identifiers or names. */
  readonly workflows: readonly string[];
  readonly channels: readonly string[];
  readonly providers: readonly string[];
  readonly severities: readonly string[];
  readonly verdicts: readonly WatchedVerdict[];
  readonly topics: readonly string[];
  /** Exactly as the service writes them: 'tenant:acme'. */
  readonly contexts: readonly string[];
  readonly tags: readonly string[];
}

/** A group is announced once it had this many failures within this time and, where `rate` is set, they were this share of its workflow's events. */
export interface Threshold {
  readonly failures: number;
  readonly withinMs: number;
  /** 0 to 1. */
  readonly rate: number | null;
}

export interface Mention {
  readonly kind: 'person' | 'user-group';
  /** `U…` or `S…` */
  readonly id: string;
}

export const EVERYTHING: WatchFilter = {
  environments: [],
  workflows: [],
  channels: [],
  providers: [],
  severities: [],
  verdicts: [],
  topics: [],
  contexts: [],
  tags: [],
};

/** 09:00 */
export const USUAL_SUMMARY_AT = 9 * 60;

/** A watch of everything, at once, with a daily summary: what the configured watch is at first, and `/notif watch env:all`. */
export const UNFILTERED: WatchSettings = {
  filter: EVERYTHING,
  threshold: null,
  everyMs: 0,
  mention: null,
  quiet: null,
  timeZone: 'UTC',
  summaryAt: USUAL_SUMMARY_AT,
  hasThread: true,
  hasChanges: false,
};

/** The filter of failures that a watch's is, one by one. Warnings are counted where nothing is said of verdicts, as other failures are. */
export function failureFilterOf({ environments: _, ...lists }: WatchFilter): FailureFilter {
  return { ...ALL_FAILURES, ...lists };
}

/** Whether a watch is about some of a group's failures by what each has of its own: its counts are of those alone. */
export function countsOwn({ contexts, tags }: WatchFilter): boolean {
  return contexts.length > 0 || tags.length > 0;
}

/** What a filter is asked about: a group, with what its failures have shown so far. */
export interface Watchable {
  readonly environment: string;
  readonly workflow: string | null;
  readonly workflowName: string | null;
  readonly channel: string;
  readonly provider: string | null;
  readonly severities: readonly (string | null)[];
  readonly verdicts: readonly FailureVerdict[];
  readonly topics: readonly string[];
  /** Those that the filter names. */
  readonly contexts: readonly string[];
  readonly tags: readonly string[];
}

/** Whether a watch is about a group. One failure that fits is enough: a watch is alerted to groups, whole. */
export function wants(filter: WatchFilter, group: Watchable): boolean {
  return (
    isAbout(filter, group.environment) &&
    isAmong([group.workflow, group.workflowName], filter.workflows) &&
    isAmong([group.channel], filter.channels) &&
    isAmong([group.provider], filter.providers) &&
    isAmong(group.severities, filter.severities) &&
    (filter.verdicts.length === 0 ? !isOnlyWarned(group) : isAmong(group.verdicts, filter.verdicts)) &&
    isAmong(group.topics, filter.topics) &&
    (filter.contexts.length === 0 || filter.contexts.some((context) => group.contexts.includes(context))) &&
    isAmong(group.tags, filter.tags)
  );
}

/** Whether a group only warns: a watch has to ask for that. */
function isOnlyWarned({ verdicts }: Watchable): boolean {
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === 'warning');
}

/** Whether a watch is about an environment at all. */
export function isAbout({ environments }: Pick<WatchFilter, 'environments'>, environment: string): boolean {
  return isAmong([environment], environments);
}

/**
 * Why a watch ends by itself. Ended, it stays ended; the watch that `NOTIF_DIGEST_CHANNEL` asks for is reported once and goes on trying.
 */
export type WatchEnd = 'channel-archived' | 'channel-left' | 'channel-unknown' | 'channel-restricted' | 'creator-gone';
