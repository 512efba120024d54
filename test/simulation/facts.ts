/** What an account is made of: plain data about one combination that was played. Times are true milliseconds. */
export interface Facts {
  readonly planted: readonly PlantedFailure[];
  readonly recorded: readonly RecordedFailure[];
  readonly notSeen: NotSeen;
  readonly groups: readonly GroupInWatch[];
  readonly posts: readonly Post[];
  readonly heartbeats: readonly { readonly at: number; readonly isSent: boolean }[];
  readonly requests: Requests;
  readonly promises: Promises;
  /** When nobody can say that it's late: Notif isn't running, the service or Slack is away. */
  readonly excuses: readonly Stretch[];
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A failure of the story. */
export interface PlantedFailure {
  /** The id of its step: no two failures of a story share it. */
  readonly jobId: string;
  /** In words, for a discrepancy. */
  readonly what: string;
  /** The event's creation by the service's clock, as gaps have it. */
  readonly createdAt: number;
  /** From when on the service shows it. */
  readonly visibleAt: number;
  /** `fresh`: it's to be there in the first poll that can see it; `late`: it's found by reading again; `free`: nothing is promised about it. */
  readonly promise: 'fresh' | 'late' | 'free';
  /** Its event may be one that can't be read at all, if that's reported. */
  readonly mayBeUnreadable: boolean;
  /** Its event was unsettled until it failed: it may be given up at the horizon, if that's reported. */
  readonly wasUnsettled: boolean;
}

export interface RecordedFailure {
  readonly jobId: string;
  readonly recordedAt: number;
  readonly groupKey: string;
}

/** What Notif says that it didn't see: stretches of creation times by the service's clock, and events that it couldn't read. */
export interface NotSeen {
  /** Those that it gave up, or posted as not checked and hasn't checked by the end. */
  readonly givenUp: readonly Stretch[];
  /** Those that it posted as not checked, and when. */
  readonly posted: readonly (Stretch & { readonly at: number })[];
  readonly unreadableMinutes: readonly number[];
  readonly quarantined: number;
  /** Unsettled events that it gave up at the horizon. */
  readonly givenUpEvents: number;
}

/** A group of the account in a watch that may want it. */
export interface GroupInWatch {
  readonly watch: string;
  readonly groupKey: string;
  readonly words: string;
  readonly isWanted: boolean;
  readonly recorded: number;
  /** Of these, what is in episodes that the watch was notified of. */
  readonly announced: number;
}

/** A message that stood in a channel. */
export interface Post {
  readonly deliveryId: string;
  readonly watch: string;
  readonly at: number;
  readonly isMarked: boolean;
  /** The groups that it announces, and those of incidents that relapsed or became critical. */
  readonly groupKeys: readonly string[];
  readonly urgent: ReadonlySet<string>;
  /** How often a message of its kind may stand without a mark: the end of a gap is a new post where the first can't be edited. */
  readonly mayStand: number;
}

export interface Requests {
  readonly all: number;
  readonly mostInAMinute: number;
  /** The age of the oldest thing that was asked for. */
  readonly oldestAge: number;
}

export interface Promises {
  readonly pollMs: number;
  readonly horizonMs: number;
  /** How long after it's visible a fresh failure may be recorded at most; null: the world is too difficult for any promise. */
  readonly freshWithinMs: number | null;
  /** How long after it's visible a late failure of an age may be recorded at most; null as above. */
  readonly lateWithinMs: ((age: number, visibleAt: number) => number) | null;
  /** How often a group may be posted to a watch in half an hour. */
  readonly postsInHalfAnHour: number;
  /** How much later one replica may take it to be than another. */
  readonly clocksDifferByMs: number;
  readonly mostRequests: number;
  readonly mostRequestsInAMinute: number;
}
