import type { TimeRange } from '../time/time-range.ts';

/** What there is to count in a stretch of time: a bar of a chart for each bucket. */
export interface Buckets {
  /** Whole minutes, so that what is counted by the minute belongs to one bucket. */
  readonly from: Date;
  /** The last bucket may be cut short by it. */
  readonly to: Date;
  readonly bucketMs: number;
  readonly count: number;
}

/** The failures of one group, counted by bucket. */
export interface CountedGroup {
  readonly channel: string;
  readonly provider: string | null;
  readonly cause: string;
  readonly workflow: string | null;
  readonly counts: readonly number[];
}

/** What was counted for a chart. */
export interface Counted {
  /** The largest groups. */
  readonly groups: readonly CountedGroup[];
  /** The failures of all other groups, by bucket. */
  readonly rest: readonly number[];
  /** The events checked, by bucket. */
  readonly events: readonly number[];
  readonly marks: readonly Mark[];
}

/** Something that somebody did, or that was changed, at a moment within a chart. */
export interface Mark {
  readonly at: Date;
  readonly kind: 'acknowledged' | 'resolved' | 'change' | 'deploy';
  /** What was changed or deployed; null for what people made of an incident. */
  readonly name: string | null;
}

/** What the bars of a chart are made of. */
export type StackedBy = 'provider' | 'cause' | 'workflow';

/** A part of each bar. Other parts that are too many are one series without a group. */
export interface Series {
  /** One of the groups that are in it, which says what all of them have in common; null: the others. */
  readonly example: Omit<CountedGroup, 'counts'> | null;
  readonly counts: readonly number[];
}

/** Failures over time: what a picture and its words are made of. */
export interface Chart {
  readonly buckets: Buckets;
  readonly stackedBy: StackedBy;
  /** The largest first, the others last. */
  readonly series: readonly Series[];
  /** By bucket; null where nothing of a bucket was checked. */
  readonly events: readonly (number | null)[];
  /** What wasn't checked: a count there is a lower bound. */
  readonly unchecked: readonly TimeRange[];
  readonly marks: readonly Mark[];
}
