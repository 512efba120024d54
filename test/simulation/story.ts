import type { WatchSettings } from '../../src/watches/settings.ts';

/** Notif's first start. */
export const START = Date.parse('2026-03-23T08:00:00.000Z');

export const CAUSES = [
  'Mailbox full',
  'The recipient server said that the user is unknown',
  'The provided authorization grant is invalid',
  'The carrier does not answer',
] as const;

/** The final outcomes of events, and their shares. */
export const FATES = [
  ['delivered', 0.4],
  ['warned', 0.03],
  ['refused', 0.2],
  ['partly-failed', 0.04],
  ['bounced', 0.13],
  ['late-step', 0.06],
  ['stuck', 0.02],
  ['undeliverable', 0.04],
  ['skipped', 0.04],
  ['retried', 0.04],
] as const;
export type Fate = (typeof FATES)[number][0];

/** The fates of events that were delivered at least once, by some provider. */
export const DELIVERED_FATES: readonly Fate[] = ['delivered', 'warned', 'bounced', 'partly-failed', 'retried'];

export interface StoryEvent {
  index: number;
  /** This is true time, like all times here: the service's own clock can differ. */
  createdAt: number;
  /** The time from which the service shows it. */
  listedAt: number;
  workflow: Workflow;
  fate: Fate;
  /** The time from which its failure shows; null if it has none. */
  failsAt: number | null;
  cause: string;
  /** The cause that its details name before they name its own; null if they name none. */
  before: { cause: string | null; until: number } | null;
  /** What makes its IDs poisonous, or the event impossible to read or to store. */
  poison: Poison | null;
  /** Whether the service says when it and its steps were created and updated. */
  hasTimes: boolean;
  /** From when on it has its tag, and is critical. */
  labelsFrom: number;
  /** A field that doesn't matter has a wrong type before `oddUntil` and from `oddFrom` on. */
  oddUntil: number;
  oddFrom: number;
}

export const POISONS = [
  ...(['long-subscriber', 'long-transaction', 'long-job', 'long-workflow', 'long-topic', 'empty-id'] as const),
  ...(['dot-id', 'dots-id', 'control-id', 'surrogate-id', 'unicode-id', 'slash-id'] as const),
] as const;
export type Poison = (typeof POISONS)[number] | Unreadable;

/** The steps of an `unparsed` event can't be read. The database refuses an `unstored` one. */
type Unreadable = 'unparsed' | 'unstored';

export function isUnreadable({ poison }: Pick<StoryEvent, 'poison'>): boolean {
  return poison === 'unparsed' || poison === 'unstored';
}

/** What the workflow `login-code` is called from its renaming on. */
export const RENAMED = 'Login with a code';

export interface Workflow {
  identifier: string;
  channel: 'email' | 'sms' | 'push' | 'in_app';
  provider: string;
}

export interface StoryWatch {
  channel: string;
  settings: WatchSettings;
}

export interface Story {
  start: number;
  /** After this time nothing is created, switched or broken: the rest is waiting for late events. */
  calmFrom: number;
  end: number;
  /** Polls stay as frequent as before for this long after `calmFrom`. */
  tailFromMs: number;
  pollMs: number;
  horizonMs: number;
  /** When a workflow is renamed; null if none is. */
  renamedAt: number | null;
  events: readonly StoryEvent[];
  watches: readonly StoryWatch[];
  acts: readonly StoryAct[];
}

/**
 * What somebody does to an incident, a watch, or an incident in a watch: the incident of the provider `about`, or the one at `place` of those
 * that there are: 0 is the newest, and most places up to 1 are of new ones.
 */
export type StoryAct = { at: number; place: number; about: string | null; actor: string } & (
  | { does: 'acts'; what: IncidentVerb }
  | { does: 'sends-again' }
  | { does: 'mutes'; isWhole: boolean; until: number | null }
  /** Null unless it was a mistake, which is undone. */
  | { does: 'edits'; settings: WatchSettings; undoneAt: number | null }
);

type IncidentVerb =
  | 'acknowledged'
  | 'unacknowledged'
  | 'resolved'
  | 'reopened'
  | 'assigned'
  | 'followed'
  | 'unfollowed';

/** An act that changed something. `until` is the end of a mute, and now for an unmute. */
export interface Done {
  at: number;
  actor: string;
  what: IncidentVerb | 'muted' | 'edited' | 'sent-again';
  incidentId: number | null;
  watchId: string | null;
  until: number | null;
}

/** The range of a story's events to play, by index, both ends included. */
export interface Excerpt {
  from: number;
  to: number;
}
