import type { Discrepancy, Rule } from './account.ts';
import type { Sent } from './difficult-service.ts';

/** The input of an account: plain data about one played combination. Times are true milliseconds. */
export interface Facts {
  planted: readonly PlantedFailure[];
  recorded: readonly RecordedFailure[];
  notSeen: NotSeen;
  gapTimes: readonly Stretch[];
  posts: readonly Post[];
  bounded: readonly Bounded[];
  sends: readonly Sent[];
  /** Broken promises that showed while the combination was played. */
  seen: readonly Discrepancy[];
  heartbeats: readonly { at: number; isSent: boolean }[];
  /** When Notif was stopped: it posts nothing then, and sends no heartbeat. */
  stops: readonly Stretch[];
  promises: Promises;
  /** When lateness doesn't count: Notif isn't running, or the service is away. */
  excuses: readonly Stretch[];
}

export interface Stretch {
  from: number;
  to: number;
}

/** A failure of the story. */
export interface PlantedFailure {
  /** The ID of its step, unique in a story. */
  jobId: string;
  what: string;
  /** When its event was created, by the service's clock, as gaps use it. */
  createdAt: number;
  /** The first minute in which its event may count: without a time, an event counts where the part of the list begins in which it stood. */
  countsFrom: number;
  /** From when on the service shows it, if Notif asks for that time then. */
  visibleAt: number;
  /** Whether it must be found by the first poll that can see it, by a pass over the past, or may be missed. */
  promise: 'fresh' | 'late' | 'free';
  /** Notif may not be able to read its event at all, and says so then. */
  mayBeUnreadable: boolean;
  /** Notif can't record it, and must count its event as unreadable. */
  isUnreadable: boolean;
}

export interface RecordedFailure {
  jobId: string;
  recordedAt: number;
  incidentId: number;
  /** The channel, provider and cause in the story. What is the recipient's own fault can be several incidents. */
  kind: string;
  isRecipientFault: boolean;
}

/** What Notif says that it didn't see, by creation times of the service's clock. */
interface NotSeen {
  /** Times that were given up, or posted as not checked and not checked by the end. */
  givenUp: readonly Stretch[];
  posted: readonly (Stretch & { at: number })[];
  unreadableMinutes: readonly number[];
  /** How many events and parts of events are counted as unreadable, and how many can be. */
  unreadable: number;
  mostUnreadable: number;
}

/** A number and its bounds, of which the lower is 0 by default. */
export interface Bounded {
  rule: Rule;
  words: string;
  is: number;
  least?: number;
  most: number;
}

export interface Post {
  deliveryId: string;
  channel: string;
  at: number;
  askedAt: number;
  isMarked: boolean;
  /** When it was deleted by hand, if Notif may not have learned that it was posted: nobody can find it then. */
  standsUntil: number;
}

/** What docs/guarantees.md promises in a world. A promise is null if the world is too difficult for it. */
export interface Promises {
  pollMs: number;
  horizonMs: number;
  /** A longer stop leaves a gap. */
  longestStopMs: number;
  /** From when a failure shows until it is recorded: a fresh one, and a late one by its age. */
  freshWithinMs: number | null;
  lateWithinMs: ((age: number, visibleAt: number) => number) | null;
  /** For how long something may wait to be told while nothing is in the way. */
  toldWithinMs: (from: number) => number;
  mostEdits: number;
  mostRequests: number;
  mostRequestsInAMinute: number;
}
