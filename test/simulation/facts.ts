/** The input of an account: plain data about one played combination. Times are true milliseconds. */
export interface Facts {
  readonly planted: readonly PlantedFailure[];
  readonly recorded: readonly RecordedFailure[];
  readonly notSeen: NotSeen;
  readonly incidents: readonly IncidentInWatch[];
  readonly gaps: readonly GapInWatch[];
  readonly gapTimes: readonly Stretch[];
  readonly minutes: readonly CountedMinute[];
  readonly posts: readonly Post[];
  readonly mostEditsInAMinute: number;
  readonly mutes: readonly MutedInWatch[];
  readonly showings: readonly Showings[];
  readonly heartbeats: readonly { readonly at: number; readonly isSent: boolean }[];
  /** Notif posts nothing then, and sends no heartbeat. */
  readonly stops: readonly Stretch[];
  readonly requests: Requests;
  readonly promises: Promises;
  /** When lateness doesn't count: Notif isn't running, or the service or Slack is away. */
  readonly excuses: readonly Stretch[];
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A failure of the story. */
export interface PlantedFailure {
  /** Of its step, unique in a story. */
  readonly jobId: string;
  readonly what: string;
  /** Of its event, by the service's clock, as gaps use it. */
  readonly createdAt: number;
  /** From when on the service shows it, if Notif asks for that time then. */
  readonly visibleAt: number;
  /** Must be found by the first poll that can see it, by a pass over the past, or may be missed. */
  readonly promise: 'fresh' | 'late' | 'free';
  /** Notif may not be able to read its event at all, and says so then. */
  readonly mayBeUnreadable: boolean;
  /** Notif can't record it, and must count its event as unreadable. */
  readonly isUnreadable: boolean;
}

/** An event that can still fail, and when answers showed it. */
export interface Showings {
  readonly what: string;
  /** By the service's clock or by Notif's, whichever is earlier. */
  readonly createdAt: number;
  readonly at: readonly number[];
}

/** A mute in a watch, and how many failures it withheld and reported. */
export interface MutedInWatch extends Stretch {
  readonly words: string;
  readonly watch: string;
  /** Messages written meanwhile about what it covers. */
  readonly announced: number;
  /** Failures that occurred and were recorded meanwhile, and how many of them messages reported as missed. */
  readonly withheld: number;
  readonly missed: number;
  /** A deleted message's failures may be reported once more. */
  readonly mayRepeat: boolean;
}

export interface RecordedFailure {
  readonly jobId: string;
  readonly recordedAt: number;
  readonly incidentId: number;
  /** What the story says of its channel, provider and cause. A recipient's own trouble can be several incidents. */
  readonly kind: string;
  readonly isRecipients: boolean;
}

/** What Notif says that it didn't see, by creation times of the service's clock. */
export interface NotSeen {
  /** Given up, or posted as not checked and not checked by the end. */
  readonly givenUp: readonly Stretch[];
  readonly posted: readonly (Stretch & { readonly at: number })[];
  readonly unreadableMinutes: readonly number[];
  /** How many events and parts of events are counted as unreadable, and how many can be. */
  readonly unreadable: number;
  readonly mostUnreadable: number;
}

/** An incident, in a watch that may want it. Failures are those that the watch covers. */
export interface IncidentInWatch {
  readonly watch: string;
  readonly incidentId: number;
  readonly words: string;
  readonly isWanted: boolean;
  readonly recorded: number;
  /** Its row's counts are those of its failures. */
  readonly isCountedRight: boolean;
  /** Needn't be told by the end: recorded after announcing ran last, gathered, or of a relapse that waits. */
  readonly notYetDue: number;
  /** Belong to outbreaks that a message told of. */
  readonly told: number;
  /** When its first failure was recorded, and when a message was written that tells of it; null: none was. */
  readonly firstRecordedAt: number;
  readonly firstToldAt: number | null;
  readonly isRecipients: boolean;
}

/** What was counted of a minute of creation, and the most that the story has of it. */
export interface CountedMinute {
  readonly words: string;
  readonly counted: number;
  readonly most: number;
}

export interface GapInWatch {
  readonly watch: string;
  readonly words: string;
  readonly longestMs: number;
  readonly isGivenUp: boolean;
  readonly isPosted: boolean;
}

export interface Post {
  readonly deliveryId: string;
  readonly watch: string;
  readonly at: number;
  readonly isMarked: boolean;
  /** When it was deleted by hand, if Notif may not have learned that it was posted: nobody can find it then. */
  readonly standsUntil: number;
  readonly isDeleted: boolean;
  readonly tellings: readonly Telling[];
}

/** What a message tells of an incident's current outbreak. */
export interface Telling {
  readonly incidentId: number;
  readonly at: number;
  readonly reason: string;
  readonly matched: number;
  readonly relapses: number;
  readonly critical: boolean;
}

export interface Requests {
  readonly all: number;
  readonly mostInAMinute: number;
  /** The age of the oldest requested data. */
  readonly oldestAge: number;
  /** How many came before the time that a 429 had named. */
  readonly impatient: number;
}

/** Null: the world is too difficult for a promise. */
export interface Promises {
  readonly pollMs: number;
  readonly horizonMs: number;
  /** A longer stop leaves a gap. */
  readonly longestStopMs: number;
  /** From when a failure shows until it is recorded: a fresh one, and a late one by its age. */
  readonly freshWithinMs: number | null;
  readonly lateWithinMs: ((age: number, visibleAt: number) => number) | null;
  /** By when what an answer showed must be shown again, in case it has failed since. */
  readonly shownAgainBy: ((showing: { readonly createdAt: number; readonly at: number }) => number | null) | null;
  /** From when an incident's first failure is recorded until a message about it is written. */
  readonly toldWithinMs: ((recordedAt: number, isRecipients: boolean) => number) | null;
  readonly mostEditsInAMinute: number;
  /** How far apart the clocks of two replicas can be. */
  readonly clocksDifferByMs: number;
  readonly mostRequests: number;
  readonly mostRequestsInAMinute: number;
}
