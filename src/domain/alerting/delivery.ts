import type { EnvironmentChange } from '../changes/change.ts';
import type { VerdictCounts } from '../failures/failure.ts';
import type { FailureFilter } from '../failures/failure-filter.ts';
import type { HeadlineFacts } from '../health/headline.ts';
import type { ReadingCondition } from '../health/status.ts';
import type { HistoryEvent, IncidentInHistory } from '../incidents/history.ts';
import type { IncidentNow } from '../incidents/incident-now.ts';
import type { OpenBySeverity, Outstanding } from '../incidents/outstanding.ts';
import type { Gap } from '../polling/gap.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Mention, Watch, WatchEnd } from '../watches/watch.ts';

/** A message to a watch, as currently stored. It is drawn from this alone. */
export type Delivery = DigestContent | GapContent | ChangesContent | SummaryContent | WatchEndedContent | ThreadContent;

interface Addressed {
  readonly id: string;
  /** A channel's ID, or a user's for a direct message. */
  readonly channel: string;
}

/** Incidents that are new, relapsed, became critical, grew tenfold, continued after a day, or failed while muted. */
export interface DigestContent extends Addressed {
  readonly kind: 'digest';
  readonly environment: string;
  /** True for an environment's first digest, which covers the hour before the start and says so. */
  readonly isFirst: boolean;
  readonly covered: TimeRange;
  /** Parts of the range that Notif hasn't checked yet or can't check. */
  readonly unchecked: readonly TimeRange[];
  readonly eventsChecked: number;
  readonly unreadable: number;
  /** Its rows, at most `DIGEST_ROWS`, in the order of `compareTallies`. */
  readonly rows: readonly DigestRow[];
  readonly moreIncidents: number;
  readonly moreStates: { readonly over: number; readonly resolved: number };
  /** How many incidents it announces for each reason, those beyond its rows included. */
  readonly reasons: { readonly [Reason in RowReason]?: number };
  readonly heldBack: HeldBack | null;
  readonly mention: Mention | null;
}

export interface HeldBack {
  readonly why: 'quiet' | 'mute';
  readonly from: Date;
  readonly to: Date;
}

/** Why an incident is in a digest: how its episode began, or what has changed since the watch's last alert. In the order of the title. */
export const ROW_REASONS = ['new', 'relapsed', 'critical', 'back', 'grown', 'goes-on', 'missed'] as const;
export type RowReason = (typeof ROW_REASONS)[number];

export interface DigestRow extends IncidentNow {
  readonly reason: RowReason;
  /** How many failures a mute withheld from the watch; null if none. */
  readonly missed: number | null;
  /** The incident's previous episode, to show since when or after how long; null if none is kept. */
  readonly before: { readonly firstSeen: Date; readonly lastSeen: Date } | null;
  /** For an episode that has grown: the failure counts in the watch's previous alert and in this one; null for other reasons. */
  readonly grown: { readonly from: number; readonly to: number } | null;
}

/** An environment could not be read for a while. Edited as it is read again and as the gap is closed. */
export interface GapContent extends Addressed {
  readonly kind: 'gap';
  readonly gap: Gap;
  readonly mention: Mention | null;
}

/** Changes around an environment, for a channel that has a watch with `changes:on`. */
export interface ChangesContent extends Addressed {
  readonly kind: 'changes';
  readonly environment: string;
  /** The oldest first. */
  readonly changes: readonly EnvironmentChange[];
}

/** A day's summary for a watch. */
export interface SummaryContent extends Addressed {
  readonly kind: 'summary';
  /** From the previous summary to this one. */
  readonly range: TimeRange;
  readonly timeZone: string;
  /** The failures that the watch was about. */
  readonly filter: FailureFilter;
  readonly environments: readonly EnvironmentSummary[];
  /** What was muted in the watch's channel when this was written, and what was pending for the watch. */
  readonly mutes: Pick<Outstanding, 'mutes' | 'mutedIncidents'>;
  readonly pending: HeadlineFacts['pending'];
}

export type DelayedCondition = Extract<ReadingCondition, 'not-announced' | 'late'>;

export interface EnvironmentSummary {
  readonly environment: string;
  readonly eventsChecked: number;
  readonly unreadable: number;
  readonly failedEvents: number;
  readonly counted: VerdictCounts;
  /** Incidents that the watch covers and that failed in this time, by their current state. */
  readonly incidents: { readonly failing: number; readonly quiet: number; readonly recovered: number };
  /** Those that are failing or quiet, by severity. */
  readonly open: readonly OpenBySeverity[];
  /** How many of them stayed below the watch's threshold and weren't announced. */
  readonly belowThreshold: number;
  /** The largest of them, at most five. */
  readonly largest: readonly IncidentNow[];
  /** What the poller had checked when this was written, apart from the gaps; null before the first poll. */
  readonly coverage: TimeRange | null;
  /** What else kept failures from being known or alerted; null: nothing. */
  readonly delayed: DelayedCondition | null;
  readonly gaps: readonly Gap[];
}

/** For a watch's creator, or those who can take care of it: it has ended, and why. */
export interface WatchEndedContent extends Addressed {
  readonly kind: 'watch-ended';
  readonly watch: Watch;
  readonly why: WatchEnd;
}

/** For the thread of a message that announced incidents: what has happened to some of them since. Notifies nobody. */
export interface ThreadContent extends Addressed {
  readonly kind: 'thread';
  /** Slack's `ts` of the parent message. */
  readonly threadTs: string;
  readonly event: HistoryEvent;
  /** Those of the message's rows that the event is about. */
  readonly incidents: readonly IncidentInHistory[];
}

/** Returns how many failures a message's rows show. */
export function failuresIn(content: Delivery): number {
  return content.kind === 'digest' ? content.rows.reduce((sum, { tally }) => sum + tally.failures, 0) : 0;
}
