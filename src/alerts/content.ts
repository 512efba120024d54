import type { EnvironmentChange } from '../changes/change.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import type { IncidentEntry } from '../incidents/timeline.ts';
import type { ChannelRefusal } from '../lib/refusals.ts';
import type { WatchMute } from '../watches/mutes.ts';
import type { Mention, Watch } from '../watches/settings.ts';
import type { PostReason } from './decide.ts';

/** Where a message goes, and the ID by which it is found in its channel. */
interface Address {
  id: string;
  channel: string;
}

/** An incident in a digest. */
export interface DigestRow {
  incident: IncidentNow;
  reason: PostReason;
  /** Failures that a mute kept back. */
  missed: number | null;
  /** The mute that broke. */
  broke: { actor: string; until: Date } | null;
  mute: Pick<WatchMute, 'mutedBy' | 'beginsAt' | 'until'> | null;
  /** A newer message says what changes. */
  isContinued: boolean;
  /** The watch's post about it before this one. */
  olderTs: string | null;
}

export interface DigestContent extends Address {
  kind: 'digest';
  watchId: string;
  environment: string;
  rows: readonly DigestRow[];
  /** Incidents that it counts and names, and says nothing else of. */
  counted: readonly DigestRow[];
  /** Incidents whose reason is 'single': they have no rows. */
  singles: readonly IncidentNow[];
  mention: Mentioned | null;
}

/** As its watch is set, or those of its user group whom nothing else has rung. */
export type Mentioned = Mention | { kind: 'people'; ids: readonly string[] };

/** What a line in a thread says of an incident. */
export type LineEvent =
  | { is: 'entry'; entry: IncidentEntry }
  /** What isn't in the timeline, since it is told by time alone, or by a count. */
  | { is: 'escalated' | 'grown'; at: Date };

/** An event, and the incident that it's about. */
export interface LineTurn {
  event: LineEvent;
  incident: IncidentNow;
}

/** Turns of one kind and moment, of several incidents. */
export interface LineContent extends Address {
  kind: 'line';
  turns: readonly LineTurn[];
  isBroadcast: boolean;
  mention: Mention | null;
  /** Several incidents are in the thread, so that each line names its own. */
  isNamed: boolean;
}

/** What a person is told in direct messages. */
export type PersonalNews =
  | { what: 'assigned' | 'taken'; actor: string; to: string }
  | { what: 'unacknowledged'; actor: string }
  | { what: 'escalated' | 'ended' | 'back' | 'failing-again' | 'every' | 'critical' | 'followed' };

export interface PersonalContent extends Address {
  kind: 'personal';
  news: PersonalNews;
  at: Date;
  /** Null: a newer message to the person shows it, or it's in another outbreak by now. */
  incident: IncidentNow | null;
  /** What the message is titled by, also without the row. */
  title: IncidentNow;
}

export interface ChangesContent extends Address {
  kind: 'changes';
  environment: string;
  changes: readonly EnvironmentChange[];
}

export interface WatchEndedContent extends Address {
  kind: 'watch-ended';
  watch: Watch;
  why: ChannelRefusal;
}

export interface RenamedContent extends Address {
  kind: 'renamed';
  environment: string;
  from: string;
  watches: readonly Watch[];
}

export type AlertContent =
  | DigestContent
  | LineContent
  | PersonalContent
  | ChangesContent
  | WatchEndedContent
  | RenamedContent;
