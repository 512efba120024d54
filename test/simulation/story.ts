import type { WatchSettings } from '../../src/watches/settings.ts';

/** The final outcomes of events, and their shares. */
export const FATES = [
  ...([
    ['delivered', 0.4],
    ['warned', 0.03],
    ['refused', 0.2],
    ['partly-failed', 0.04],
    ['bounced', 0.13],
  ] as const),
  ...([
    ['late-step', 0.06],
    ['stuck', 0.02],
    ['undeliverable', 0.04],
    ['skipped', 0.04],
    ['retried', 0.04],
  ] as const),
];
export type Fate = (typeof FATES)[number][0];

export interface StoryEvent {
  index: number;
  /** This is true time, like all times here: the service's own clock can differ. */
  createdAt: number;
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
  hasTimes: boolean;
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
  events: readonly StoryEvent[];
  watches: readonly StoryWatch[];
  acts: readonly StoryAct[];
}

/** What somebody does to an incident, a watch, or an incident in a watch; `place` is which, of those that there are, from 0 to 1. */
export type StoryAct = { at: number; place: number } & (
  | { does: 'acts'; what: 'acknowledged' | 'unacknowledged' | 'resolved' | 'reopened' }
  | { does: 'mutes'; isWhole: boolean; until: number | null }
  | { does: 'edits'; settings: WatchSettings }
);

/** The range of a story's events to play, by index, both ends included. */
export interface Excerpt {
  from: number;
  to: number;
}
