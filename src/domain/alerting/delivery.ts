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

export type Delivery = DigestContent | GapContent | ChangesContent | SummaryContent | WatchEndedContent | ThreadContent;

interface Addressed {
  readonly id: string;
  /** A channel's ID, or a user's for a direct message. */
  readonly channel: string;
}

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
  /** Those beyond its rows included. */
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
  readonly missed: number | null;
  readonly before: { readonly firstSeen: Date; readonly lastSeen: Date } | null;
  readonly grown: { readonly from: number; readonly to: number } | null;
}

export interface GapContent extends Addressed {
  readonly kind: 'gap';
  readonly gap: Gap;
  readonly mention: Mention | null;
}

export interface ChangesContent extends Addressed {
  readonly kind: 'changes';
  readonly environment: string;
  /** The oldest first. */
  readonly changes: readonly EnvironmentChange[];
}

export interface SummaryContent extends Addressed {
  readonly kind: 'summary';
  /** From the previous summary to this one. */
  readonly range: TimeRange;
  readonly timeZone: string;
  readonly filter: FailureFilter;
  readonly environments: readonly EnvironmentSummary[];
  /** When this was written. */
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
  readonly belowThreshold: number;
  /** At most five. */
  readonly largest: readonly IncidentNow[];
  /** Apart from the gaps; null before the first poll. */
  readonly coverage: TimeRange | null;
  readonly delayed: DelayedCondition | null;
  readonly gaps: readonly Gap[];
}

export interface WatchEndedContent extends Addressed {
  readonly kind: 'watch-ended';
  readonly watch: Watch;
  readonly why: WatchEnd;
}

/** Notifies nobody. */
export interface ThreadContent extends Addressed {
  readonly kind: 'thread';
  /** Slack's `ts` of the parent message. */
  readonly threadTs: string;
  readonly event: HistoryEvent;
  readonly incidents: readonly IncidentInHistory[];
}

export function failuresIn(content: Delivery): number {
  return content.kind === 'digest' ? content.rows.reduce((sum, { tally }) => sum + tally.failures, 0) : 0;
}
