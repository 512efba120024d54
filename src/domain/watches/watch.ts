import type { Changed } from '../changes/change.ts';
import { InputError } from '../errors.ts';
import type { Announcement } from '../failures/failure.ts';
import { ALL_FAILURES, type FailureFilter } from '../failures/failure-filter.ts';
import type { WatchedVerdict } from '../failures/verdict.ts';
import { isAmong } from '../fold.ts';
import type { QuietTime } from '../time/wall-clock.ts';

export interface Watch {
  readonly id: string;
  readonly channel: string;
  /** What people call it in its channel: it keeps its number, which no later watch there gets. */
  readonly number: number;
  readonly createdAt: Date;
  /** Its creator; null for the one that `NOTIF_DIGEST_CHANNEL` requires. */
  readonly createdBy: string | null;
  /** It is told of what is recorded after this. */
  readonly tellsFrom: Date;
  readonly settings: WatchSettings;
}

export interface WatchSettings {
  readonly filter: WatchFilter;
  readonly threshold: Threshold | null;
  /** The minimum time between alerts; 0: with each poll that has some. */
  readonly everyMs: number;
  readonly mention: Mention | null;
  readonly quiet: QuietTime | null;
  /** IANA name of the time zone of `quiet` and `summaryAt`. */
  readonly timeZone: string;
  /** The wall-clock time of the daily summary, in minutes of the day; null for none. */
  readonly summaryAt: number | null;
  readonly hasThread: boolean;
  readonly hasChanges: boolean;
}

/** Which failures are watched. An empty list matches all; names are compared without case. */
export interface WatchFilter {
  readonly environments: readonly string[];
  /** Identifiers or names. */
  readonly workflows: readonly string[];
  readonly channels: readonly string[];
  readonly providers: readonly string[];
  /** IDs as failures have them, compared exactly: those that are contacts are masked, with a hash. */
  readonly subscribers: readonly string[];
  readonly severities: readonly string[];
  readonly verdicts: readonly WatchedVerdict[];
  readonly topics: readonly string[];
  /** Exactly as the service writes them: 'tenant:acme'. */
  readonly contexts: readonly string[];
  readonly tags: readonly string[];
}

/** `rate`: at least this share of its workflows' events. */
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
  subscribers: [],
  severities: [],
  verdicts: [],
  topics: [],
  contexts: [],
  tags: [],
};

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
  hasChanges: false,
};

/** Returns a watch's filter as a filter of failures. If no verdicts are given, warnings are counted like other failures. */
export function failureFilterOf({ environments: _, ...lists }: WatchFilter): FailureFilter {
  return { ...ALL_FAILURES, ...lists };
}

/** What of an incident a filter is matched with at once; which of its failures it covers is counted. */
export interface Watchable {
  readonly environment: string;
  readonly channel: string;
  readonly provider: string | null;
  readonly announcement: Announcement;
}

/** A watch hears of warnings only if it asks for them. */
export function mayCover(filter: WatchFilter, { environment, channel, provider, announcement }: Watchable): boolean {
  return (
    isAbout(filter, environment) &&
    isAmong([channel], filter.channels) &&
    isAmong([provider], filter.providers) &&
    (announcement === 'announced' || (announcement === 'warning' && filter.verdicts.includes('warning')))
  );
}

export function isAbout({ environments }: Pick<WatchFilter, 'environments'>, environment: string): boolean {
  return isAmong([environment], environments);
}

/** Stored in these words. The watch that `NOTIF_DIGEST_CHANNEL` requires is reported once instead, and keeps trying. */
export const WATCH_ENDS = ['channel-archived', 'channel-left', 'channel-unknown', 'channel-restricted'] as const;
export type WatchEnd = (typeof WATCH_ENDS)[number];

/** As many as one list shows; more are refused. */
export const MOST_WATCHES = 20;

/** Throws an `InputError` if a channel with these watches has no room for another. */
export function requireRoom(watches: readonly Watch[]): void {
  if (watches.length < MOST_WATCHES) return;
  const message = `A channel has at most ${MOST_WATCHES} watches. Remove one first.`;
  throw new InputError('watch', message, '/notif watches');
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
