import type { Discrepancy, Rule } from './account.ts';
import type { Owed } from './due.ts';

/** The input of an account: plain data about one played combination. Times are true milliseconds. */
export interface Facts {
  planted: readonly PlantedFailure[];
  recorded: readonly RecordedFailure[];
  notSeen: NotSeen;
  incidents: readonly IncidentInWatch[];
  gapTimes: readonly Stretch[];
  posts: readonly Post[];
  bounded: readonly Bounded[];
  /** Broken promises that showed while the combination was played. */
  seen: readonly Discrepancy[];
  /** The alerts that watches owed and the messages that they had to post, from one time on to another. */
  owed: readonly Owed[];
  unposted: readonly Owed[];
  showings: readonly Showings[];
  heartbeats: readonly { at: number; isSent: boolean }[];
  /** When Notif was stopped: it posts nothing then, and sends no heartbeat. */
  stops: readonly Stretch[];
  promises: Promises;
  /** When lateness doesn't count: Notif isn't running, or the service is away; or Slack, for posts. */
  excuses: readonly Stretch[];
  slackExcuses: readonly Stretch[];
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
  /** From when on the service shows it, if Notif asks for that time then. */
  visibleAt: number;
  /** Whether it must be found by the first poll that can see it, by a pass over the past, or may be missed. */
  promise: 'fresh' | 'late' | 'free';
  /** Notif may not be able to read its event at all, and says so then. */
  mayBeUnreadable: boolean;
  /** Notif can't record it, and must count its event as unreadable. */
  isUnreadable: boolean;
}

/** An event that can still fail, and when answers showed it. */
export interface Showings {
  what: string;
  /** By the service's clock or by Notif's, whichever is earlier. */
  createdAt: number;
  at: readonly number[];
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

/** An incident as a watch shows it in the end. */
export interface IncidentInWatch {
  watch: string;
  words: string;
  /** Whether a message of the watch shows it, and whether the watch covered something of it, or may have. */
  isAlerted: boolean;
  isWanted: boolean;
  /** Whether its row's counts are those of its failures. */
  isCountedRight: boolean;
  /** Whether its message was posted or edited since it last changed, or can't be. */
  isUpToDate: boolean;
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
  watch: string;
  watchId: string | null;
  /** The watches that notify for this one. */
  notifiers: readonly string[];
  at: number;
  askedAt: number;
  isMarked: boolean;
  /** When it was deleted by hand, if Notif may not have learned that it was posted: nobody can find it then. */
  standsUntil: number;
  isDeleted: boolean;
  /** Whether it was posted while its watch was silenced, and whether it broadcasts the end of what is failing. */
  isSilenced: boolean;
  isFalseAllClear: boolean;
  alerts: readonly Alerted[];
}

/** What a message says of an incident's current outbreak. */
export interface Alerted {
  incidentId: number;
  reason: string;
  relapses: number;
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
  /** By when what an answer showed must be shown again, in case it has failed since. */
  shownAgainBy: ((showing: { createdAt: number; at: number }) => number | null) | null;
  /** For how long a watch may owe something, and a message wait, while nothing is in the way. */
  alertedWithinMs: (from: number) => number;
  postedWithinMs: number;
  mostEdits: number;
  /** How far apart the clocks of two replicas can be. */
  clocksDifferByMs: number;
  mostRequests: number;
  mostRequestsInAMinute: number;
}
