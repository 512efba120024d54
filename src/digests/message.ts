import type { EnvironmentChange } from '../changes/change.ts';
import type { Told } from '../incidents/actions.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import type { IncidentEvent } from '../incidents/publish.ts';
import type { Gap } from '../polling/gap.ts';
import type { Mention, Watch, WatchEnd } from '../watches/settings.ts';
import type { Reason } from './decide.ts';
import type { SummaryContent } from './summary.ts';

export const KINDS = ['digest', 'gap', 'silence', 'changes', 'summary', 'watch-ended', 'thread', 'told'] as const;
export type Kind = (typeof KINDS)[number];

export type Content =
  | DigestContent
  | GapContent
  | SilenceContent
  | ChangesContent
  | SummaryContent
  | WatchEndedContent
  | ThreadContent
  | ToldContent;

export interface Addressed {
  readonly id: string;
  /** A channel's ID, or a user's for a direct message. */
  readonly channel: string;
}

export interface DigestContent extends Addressed {
  readonly kind: 'digest';
  readonly environment: string;
  /** At most `DIGEST_ROWS`, what matters most first; the singles are apart. */
  readonly rows: readonly DigestRow[];
  readonly moreIncidents: number;
  readonly singles: readonly IncidentNow[];
  readonly mention: Mention | null;
}

export const DIGEST_ROWS = 10;

export interface DigestRow {
  readonly incident: IncidentNow;
  readonly reason: Reason;
  /** While it was muted. */
  readonly missed: number | null;
  /** How many the watch was told of before; null: of none. */
  readonly grownFrom: number | null;
  /** A newer message tells of it: this row stays as it is. */
  readonly isContinued: boolean;
  /** Slack's address of the older message about it. */
  readonly olderTs: string | null;
}

export interface GapContent extends Addressed {
  readonly kind: 'gap';
  readonly gap: Gap;
  readonly mention: Mention | null;
}

export interface SilenceContent extends Addressed {
  readonly kind: 'silence';
  readonly environment: string;
  /** Of the last event before it, by the service's clock. */
  readonly since: Date;
  /** Of an event after it; null: there is none yet. */
  readonly until: Date | null;
  /** The longest pause in the week before. */
  readonly usualMs: number;
  readonly mention: Mention | null;
}

export interface ChangesContent extends Addressed {
  readonly kind: 'changes';
  readonly environment: string;
  readonly changes: readonly EnvironmentChange[];
}

export interface WatchEndedContent extends Addressed {
  readonly kind: 'watch-ended';
  readonly watch: Watch;
  readonly why: WatchEnd;
}

export interface ThreadContent extends Addressed {
  readonly kind: 'thread';
  readonly threadTs: string;
  /** Whether the channel sees it too, which notifies those who follow it. */
  readonly isBroadcast: boolean;
  readonly event: IncidentEvent;
  readonly incidents: readonly IncidentNow[];
}

export interface ToldContent extends Addressed {
  readonly kind: 'told';
  readonly told: Told;
  readonly incident: IncidentNow;
}
