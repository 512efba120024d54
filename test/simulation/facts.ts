/** The input of an account: plain data about one played combination. Times are true milliseconds. */
export interface Facts {
  readonly planted: readonly PlantedFailure[];
  readonly recorded: readonly RecordedFailure[];
  readonly notSeen: NotSeen;
  readonly incidents: readonly IncidentInWatch[];
  readonly gaps: readonly GapInWatch[];
  /** The times that gaps cover. */
  readonly gapTimes: readonly Stretch[];
  readonly minutes: readonly CountedMinute[];
  readonly posts: readonly Post[];
  /** The most edits in a minute. */
  readonly mostEditsInAMinute: number;
  readonly mutes: readonly MutedInWatch[];
  readonly showings: readonly Showings[];
  readonly heartbeats: readonly { readonly at: number; readonly isSent: boolean }[];
  /** Times when Notif was stopped: it posts nothing then, and sends no heartbeat. */
  readonly stops: readonly Stretch[];
  readonly requests: Requests;
  readonly promises: Promises;
  /** Times when lateness doesn't count: Notif isn't running, or the service or Slack is away. */
  readonly excuses: readonly Stretch[];
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A failure of the story. */
export interface PlantedFailure {
  /** The ID of its step, unique in a story. */
  readonly jobId: string;
  /** A description for discrepancies. */
  readonly what: string;
  /** The event's creation time by the service's clock, as gaps use it. */
  readonly createdAt: number;
  /** The time from which the service shows it, if Notif asks for that time then. */
  readonly visibleAt: number;
  /** `fresh`: must be found in the first poll that can see it. `late`: is found by a pass over the past. `free`: nothing is promised about it. */
  readonly promise: 'fresh' | 'late' | 'free';
  /** Its event can be one that Notif can't read at all, if that's reported. */
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
  /** How many of the watch's messages were written during the mute about what it covers. */
  readonly announced: number;
  /** Failures that occurred and were recorded during the mute. */
  readonly withheld: number;
  /** How many of them messages reported as missed. */
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

/** What Notif says that it didn't see: ranges of creation times by the service's clock, and events that it couldn't read. */
export interface NotSeen {
  /** Ranges that Notif gave up, or posted as not checked and hasn't checked by the end. */
  readonly givenUp: readonly Stretch[];
  /** Ranges that Notif posted as not checked, and when. */
  readonly posted: readonly (Stretch & { readonly at: number })[];
  readonly unreadableMinutes: readonly number[];
  /** How many events and parts of events are counted as unreadable. */
  readonly unreadable: number;
  /** How many can be. */
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
  /** How many needn't be told by the end: recorded after announcing ran last, gathered, or of a relapse that waits. */
  readonly notYetDue: number;
  /** How many belong to outbreaks that a message told of. */
  readonly told: number;
  /** When its first failure was recorded, and when a message was written that tells of it; null: none was. */
  readonly firstRecordedAt: number;
  readonly firstToldAt: number | null;
  /** The catalogue calls its cause the recipient's. */
  readonly isRecipients: boolean;
}

/** What was counted of a minute of creation, and the most that the story has of it. */
export interface CountedMinute {
  readonly words: string;
  readonly counted: number;
  readonly most: number;
}

/** A stretch that wasn't checked, in a watch. */
export interface GapInWatch {
  readonly watch: string;
  readonly words: string;
  readonly longestMs: number;
  readonly isGivenUp: boolean;
  readonly isPosted: boolean;
}

/** A message that was posted to a channel. */
export interface Post {
  readonly deliveryId: string;
  readonly watch: string;
  readonly at: number;
  readonly isMarked: boolean;
  /**
   * When it was deleted by hand, if Notif may not have learned that it was posted: nobody can find it afterwards. Infinity otherwise.
   */
  readonly standsUntil: number;
  readonly isDeleted: boolean;
  readonly tellings: readonly Telling[];
}

/** What a message tells of an incident. Counts are of the current outbreak. */
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

export interface Promises {
  readonly pollMs: number;
  readonly horizonMs: number;
  /** A longer stop leaves a gap. */
  readonly longestStopMs: number;
  /** The longest time between a fresh failure becoming visible and being recorded. Null if the world is too difficult for any promise. */
  readonly freshWithinMs: number | null;
  /**
   * The longest time between a late failure of this age becoming visible and being recorded. Null if the world is too difficult for any
   * promise.
   */
  readonly lateWithinMs: ((age: number, visibleAt: number) => number) | null;
  /**
   * Returns by when what an answer showed at a time must be shown again, in case it has failed since: by the next poll after that. Null if
   * nothing is promised.
   */
  readonly shownAgainBy: ((showing: { readonly createdAt: number; readonly at: number }) => number | null) | null;
  /** The longest time between an incident's first failure being recorded and a message about it being written; null: nothing is promised. */
  readonly toldWithinMs: ((recordedAt: number, isRecipients: boolean) => number) | null;
  readonly mostEditsInAMinute: number;
  /** How far apart the clocks of two replicas can be. */
  readonly clocksDifferByMs: number;
  readonly mostRequests: number;
  readonly mostRequestsInAMinute: number;
}
