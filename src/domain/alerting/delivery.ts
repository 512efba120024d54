import type { AuditEntry } from '../access/audit.ts';
import type { EnvironmentChange } from '../changes/change.ts';
import type { VerdictCounts } from '../failures/failure.ts';
import type { FailureFilter } from '../failures/failure-filter.ts';
import type { HeadlineFacts } from '../health/headline.ts';
import type { HistoryEvent, IncidentInHistory } from '../incidents/history.ts';
import type { IncidentNow } from '../incidents/incident-now.ts';
import type { OpenBySeverity, Outstanding } from '../incidents/outstanding.ts';
import type { Gap } from '../polling/gap.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Mention, Watch, WatchEnd } from '../watches/watch.ts';

/** A message that a watch, or the mirror of the audit trail, is sent, as it is in the store now: it is drawn from this and nothing else. */
export type Delivery =
  | DigestContent
  | GapContent
  | ChangesContent
  | SummaryContent
  | WatchOrphanedContent
  | WatchEndedContent
  | ThreadContent
  | AuditContent;

interface Addressed {
  readonly id: string;
  /** A channel's id, or a person's for a direct message. */
  readonly channel: string;
}

/** New incidents, and those that relapsed, became critical, grew to ten times as much, go on after a day, or failed while they were muted. */
export interface DigestContent extends Addressed {
  readonly kind: 'digest';
  readonly environment: string;
  /** True for the first digest of an environment: it covers the hour before the start, and says so. */
  readonly isFirst: boolean;
  readonly covered: TimeRange;
  /** What of it has not been read yet, or never will be. */
  readonly unread: readonly TimeRange[];
  readonly eventsRead: number;
  readonly unreadable: number;
  /** Its rows, at most `DIGEST_ROWS`, in the order of `compareTallies`. */
  readonly rows: readonly DigestRow[];
  /** How many groups it announces beyond its rows. */
  readonly moreGroups: number;
  /** How many groups it announces for each reason, those beyond its rows included. */
  readonly reasons: { readonly [Reason in RowReason]?: number };
  /** What failed since the watch's message before this one in incidents that other messages announced; null where nothing did. */
  readonly elsewhere: Elsewhere | null;
  readonly heldBack: HeldBack | null;
  readonly mention: Mention | null;
}

/** Failures that belong to incidents of earlier messages. */
export interface Elsewhere {
  readonly failures: number;
  readonly incidents: number;
  /** When the last message about each was written, the newest first, each time once. */
  readonly announcedAt: readonly Date[];
}

/** A digest that comes late on purpose: it tells what a quiet time or a mute of the whole watch held back. */
export interface HeldBack {
  readonly why: 'quiet' | 'mute';
  readonly from: Date;
  readonly to: Date;
}

/**
 * Why an incident is in a digest: how its episode began (`EpisodeBeginning`), or what has changed since the watch was last alerted to it.
 * In the order of the digest's title.
 */
export const ROW_REASONS = ['new', 'relapsed', 'critical', 'back', 'grown', 'goes-on', 'missed'] as const;
export type RowReason = (typeof ROW_REASONS)[number];

export interface DigestRow extends IncidentNow {
  readonly reason: RowReason;
  /** How many failures a mute kept from the watch; null where none did. */
  readonly missed: number | null;
  /** The group's episode before this one, for anyone who wants to know since when or after how long; null where none is kept. */
  readonly before: { readonly firstSeen: Date; readonly lastSeen: Date } | null;
  /** The failures that the watch was alerted to before and by this digest, of an episode that has grown; null for other reasons. */
  readonly grown: { readonly from: number; readonly to: number } | null;
}

/** An environment was not read for a while; edited as it is read again, and as the gap is closed. */
export interface GapContent extends Addressed {
  readonly kind: 'gap';
  readonly gap: Gap;
  readonly mention: Mention | null;
}

/** What was changed around an environment, for a channel that has a watch with `changes:on`. */
export interface ChangesContent extends Addressed {
  readonly kind: 'changes';
  readonly environment: string;
  /** The oldest first. */
  readonly changes: readonly EnvironmentChange[];
}

/** What a day held, for a watch. */
export interface SummaryContent extends Addressed {
  readonly kind: 'summary';
  /** From the summary before to this one. */
  readonly range: TimeRange;
  readonly timeZone: string;
  /** The failures that the watch was about. */
  readonly filter: FailureFilter;
  readonly environments: readonly EnvironmentSummary[];
  /** What was muted in the watch's channel, and what was pending for the watch, when this was written. */
  readonly mutes: Pick<Outstanding, 'mutes' | 'mutedGroups'>;
  readonly pending: HeadlineFacts['pending'];
}

export interface EnvironmentSummary {
  readonly environment: string;
  readonly eventsRead: number;
  readonly unreadable: number;
  readonly failedEvents: number;
  readonly counted: VerdictCounts;
  /** Groups that the watch is about and that failed in this time, by what they do now. */
  readonly groups: { readonly failing: number; readonly quiet: number; readonly recovered: number };
  /** Those that fail or are quiet, by severity. */
  readonly open: readonly OpenBySeverity[];
  /** How many of them stayed below the watch's threshold, and weren't announced. */
  readonly belowThreshold: number;
  /** The largest of them, at most five. */
  readonly largest: readonly IncidentNow[];
  readonly gaps: readonly Gap[];
}

/** To the channel of a watch: the person who made it is gone, and it ends unless somebody takes it over. */
export interface WatchOrphanedContent extends Addressed {
  readonly kind: 'watch-orphaned';
  readonly watch: Watch;
  readonly endsAt: Date;
}

/** To the person who made a watch, or may take care of it, or to its channel: it has ended, and why. */
export interface WatchEndedContent extends Addressed {
  readonly kind: 'watch-ended';
  readonly watch: Watch;
  readonly why: WatchEnd;
}

/** To the thread of a message that announced incidents: what has happened to some of them since. Nobody is notified. */
export interface ThreadContent extends Addressed {
  readonly kind: 'thread';
  /** Slack's id of the message whose thread it is. */
  readonly threadTs: string;
  readonly event: HistoryEvent;
  /** Those of its rows that the event is about. */
  readonly incidents: readonly IncidentInHistory[];
}

/** To the channel that mirrors the audit trail, edited as its outcome comes to be known. */
export interface AuditContent extends Addressed {
  readonly kind: 'audit';
  readonly entry: AuditEntry;
}

/** The failures that a message's rows show. */
export function failuresIn(content: Delivery): number {
  return content.kind === 'digest' ? content.rows.reduce((sum, { tally }) => sum + tally.failures, 0) : 0;
}
