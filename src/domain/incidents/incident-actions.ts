import type { LabelKind } from '../failures/labels.ts';
import type { Watch } from '../watches/watch.ts';
import type { Acknowledgment, Assignment } from './episode.ts';
import type { IncidentNow } from './incident-now.ts';
import type { Note } from './note.ts';

/** What somebody acts on: an episode of an incident, and where. */
export interface ActionTarget {
  /** The message of a watch that has the row; '' for one elsewhere. */
  readonly deliveryId: string;
  readonly episodeId: number;
  /** The channel in which it's done, where that isn't the message's. */
  readonly channel?: string | null;
}

/** The same as it stands now. */
export interface TargetNow {
  readonly episode: IncidentNow;
  /** Its day is over: its row counts on no more. */
  readonly hasEnded: boolean;
  /** The group's newest episode; the same one where none came after it. */
  readonly newest: IncidentNow;
  /** The watch that the message went to; null where it has ended. */
  readonly watch: Watch | null;
}

/** Whether there is nothing left to acknowledge: the row is one of the past. */
export function isOver({ episode, newest, hasEnded }: TargetNow): boolean {
  return hasEnded || newest.episodeId !== episode.episodeId || episode.state.is === 'resolved';
}

/** The outcome of an act upon a row that may be old. */
export type Stale =
  /** The episode is no longer kept. */
  | { readonly is: 'forgotten' }
  /** See `isOver`. */
  | { readonly is: 'over'; readonly on: TargetNow };

/** The first who acknowledges has done so; later ones learn who was first. */
export type Acknowledging = Stale | { readonly is: 'done' | 'already'; readonly acknowledged: Acknowledgment };

export type Unacknowledging =
  | Stale
  /** `acknowledged`: what was taken back, of `on`. */
  | { readonly is: 'done'; readonly acknowledged: Acknowledgment; readonly on: TargetNow }
  /** Nobody acknowledges it: `unacknowledged` says who took it back before, where somebody did. */
  | { readonly is: 'already'; readonly unacknowledged: Acknowledgment | null };

/** `on`: what was assigned. */
export type Assigning = Stale | { readonly is: 'done'; readonly on: TargetNow; readonly assigned: Assignment };

/** The first who resolves has done so; `by` is null where the incident had recovered by itself. */
export type Resolving = { readonly is: 'forgotten' | 'done' } | { readonly is: 'already'; readonly by: string | null };

/** `note`: as it's kept. */
export type Noting = { readonly is: 'forgotten' } | { readonly is: 'done'; readonly note: Note };

/** A failure of an episode, as its list shows it. */
export interface EpisodeFailure {
  readonly eventId: string | null;
  readonly transactionId: string;
  readonly subscriberId: string | null;
  readonly occurredAt: Date;
}

/** Somebody whom an episode hit. */
export interface Affected {
  readonly subscriberId: string;
  readonly failures: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** What some failures of an episode have in common, by kind, the most frequent first. */
export interface InCommon {
  /** How many failures were looked at, the newest: all of them, or as many as are looked at at once. */
  readonly failures: number;
  readonly values: readonly CommonValue[];
}

/** How many of the failures have a label, or are a subscriber's. */
export interface CommonValue {
  readonly kind: LabelKind | 'subscriber';
  readonly value: string;
  readonly failures: number;
  /** How many values of its kind there are, with those that aren't listed. */
  readonly ofValues: number;
}
