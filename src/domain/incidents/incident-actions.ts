import type { LabelKind } from '../failures/labels.ts';
import type { Watch } from '../watches/watch.ts';
import type { Acknowledgment, Assignment } from './episode.ts';
import type { IncidentNow } from './incident-now.ts';
import type { Note } from './note.ts';

export interface ActionTarget {
  /** The watch's message that has the row; null for a row elsewhere. */
  readonly messageId: string | null;
  readonly episodeId: number;
  readonly channel?: string | null;
}

export interface TargetNow {
  readonly episode: IncidentNow;
  readonly hasEnded: boolean;
  readonly newest: IncidentNow;
  /** Whether the incident failed again after it was over or quiet, so that its newest episode is of another outage than this one. */
  readonly cameBack: boolean;
  /** Null if it has ended. */
  readonly watch: Watch | null;
}

type RowNow = Pick<TargetNow, 'hasEnded'> & {
  readonly episode: Pick<IncidentNow, 'episodeId' | 'state'>;
  readonly newest: Pick<IncidentNow, 'episodeId'>;
};

export function isOver({ episode, newest, hasEnded }: RowNow): boolean {
  return hasEnded || newest.episodeId !== episode.episodeId || episode.state.is === 'resolved';
}

export type Stale =
  | { readonly is: 'forgotten' }
  /** See `isOver`; for resolving, `cameBack`. */
  | { readonly is: 'over'; readonly on: TargetNow };

/** The first person acknowledges; later ones learn who was first. */
export type Acknowledging = Stale | { readonly is: 'done' | 'already'; readonly acknowledged: Acknowledgment };

export interface Unacknowledgment {
  readonly of: string;
  readonly by: string;
}

export type NotUnacknowledged =
  /** Nobody has acknowledged it; `unacknowledged` says who removed the last acknowledgment, if any. */
  | { readonly is: 'already'; readonly unacknowledged: Acknowledgment | null }
  /** It's another person's by now. */
  | { readonly is: 'another'; readonly acknowledged: Acknowledgment };

/** `acknowledged`: the acknowledgment removed from `on`. */
export type Unacknowledging =
  | Stale
  | NotUnacknowledged
  | { readonly is: 'done'; readonly acknowledged: Acknowledgment; readonly on: TargetNow };

export type Assigning =
  | Stale
  /** `on`: what was assigned; `before`: the assignment that this replaces, if any. */
  | {
      readonly is: 'done';
      readonly on: TargetNow;
      readonly assigned: Assignment;
      readonly before: Assignment | null;
    }
  | { readonly is: 'already'; readonly assigned: Assignment };

/** The first person resolves it; `by` is null if the incident had recovered by itself. */
export type Resolving = Stale | { readonly is: 'done' } | { readonly is: 'already'; readonly by: string | null };

export type Noting = { readonly is: 'forgotten' } | { readonly is: 'done'; readonly note: Note };

export interface EpisodeFailure {
  readonly eventId: string | null;
  readonly transactionId: string;
  readonly subscriberId: string | null;
  readonly occurredAt: Date;
}

export interface Affected {
  readonly subscriberId: string;
  readonly failures: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** What failures of an episode have in common, by kind, the most frequent first. */
export interface InCommon {
  /** How many of the newest failures were examined: all, or up to the limit. */
  readonly failures: number;
  readonly values: readonly CommonValue[];
}

export interface CommonValue {
  readonly kind: LabelKind | 'subscriber';
  readonly value: string;
  readonly failures: number;
  readonly ofValues: number;
}
