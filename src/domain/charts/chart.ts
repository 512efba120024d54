import type { TimeRange } from '../time/time-range.ts';

/** The buckets of a time range: a chart has a bar for each. */
export interface Buckets {
  /** A whole minute, so that a count by minute belongs to one bucket. */
  readonly from: Date;
  /** May cut the last bucket short. */
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

/** The counts for a chart. */
export interface Counted {
  /** The largest groups. */
  readonly groups: readonly CountedGroup[];
  /** The failures of all other groups, by bucket. */
  readonly rest: readonly number[];
  /** The events checked, by bucket. */
  readonly events: readonly number[];
  /** How many of the range's events couldn't be read, of whatever workflow. */
  readonly unreadable: number;
  readonly marks: readonly Mark[];
}

/** An action or a change at a moment within a chart. */
export interface Mark {
  readonly at: Date;
  readonly kind: 'acknowledged' | 'resolved' | 'change' | 'deploy';
  /** What was changed or deployed; null for an action on an incident. */
  readonly name: string | null;
}

/** What the bars of a chart are divided by. */
export type StackedBy = 'provider' | 'cause' | 'workflow';

/** A part of each bar. Parts beyond the maximum form one series without a group. */
export interface Series {
  /** One of its groups, which has what all of them share; null: the others. */
  readonly example: Omit<CountedGroup, 'counts'> | null;
  readonly counts: readonly number[];
}

/** Failures over time, the source of a picture and its text. */
export interface Chart {
  readonly buckets: Buckets;
  readonly stackedBy: StackedBy;
  /** The largest first, the others last. */
  readonly series: readonly Series[];
  /** By bucket; null if nothing of a bucket was checked. */
  readonly events: readonly (number | null)[];
  readonly unreadable: number;
  /** Unchecked ranges: a count there is a lower bound. */
  readonly unchecked: readonly TimeRange[];
  readonly marks: readonly Mark[];
}
