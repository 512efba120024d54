import { createHash } from 'node:crypto';
import type { ChangeBefore } from '../changes/change.ts';
import { type Announcement, announcementOf, type Failure, type Tally } from '../failures/failure.ts';
import type { SharedLabel } from '../failures/labels.ts';
import type { Note } from '../lib/input/typed-values.ts';
import type { Mute } from '../watches/mutes.ts';
import type { IncidentState } from './state.ts';

/** What makes failures one incident: a cause at one channel and provider of one environment, over all workflows. */
export type IncidentKind = Pick<Failure, 'channel' | 'provider' | 'cause' | 'isTest'> & {
  readonly environment: string;
  readonly announcement: Announcement;
};

export function kindOf(environment: string, failure: Failure): IncidentKind {
  const { channel, provider, cause, isTest, verdict } = failure;
  return { environment, channel, provider, cause, isTest, announcement: announcementOf(verdict) };
}

/** The same whenever the cause comes back: 16 hex digits. */
export function keyOf({ environment, channel, provider, cause, isTest, announcement }: IncidentKind): string {
  const identity = JSON.stringify([environment, channel, provider, cause.key, announcement, isTest]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

/** Somebody is working on it: mentions stop until it relapses. Users are Slack IDs. */
export interface Acknowledgment {
  readonly by: string;
  readonly at: Date;
}

export interface Assignment extends Acknowledgment {
  readonly to: string;
}

/** The state, with what a row shows of it. */
export type StateNow =
  | { readonly is: 'firing' }
  /** It failed last at `since`. */
  | { readonly is: 'recovering' | 'unconfirmed'; readonly since: Date }
  /** By a person or, if `by` is null, by itself. */
  | { readonly is: 'resolved'; readonly at: Date; readonly by: string | null };

export function isOver({ is }: { readonly is: IncidentState }): boolean {
  return is !== 'firing';
}

/** An incident at a moment: what a row shows of it. Counts are of its current outbreak, and only what a watch covers. */
export interface IncidentNow {
  /** What people call it: `#17`. */
  readonly id: number;
  readonly asOf: Date;
  readonly tally: Tally;
  /** The first failure ever, and the first of the current outbreak. */
  readonly firstAt: Date;
  readonly startedAt: Date;
  /** The most failures first, at most `MOST_WORKFLOWS`. */
  readonly workflows: readonly WorkflowShare[];
  readonly moreWorkflows: number;
  /** Null where a row shows only some of its failures, or warnings. */
  readonly attempts: Attempts | null;
  /** Until when its environment was checked, if that is long ago. */
  readonly staleSince: Date | null;
  /** What nearly all of its events have in common, unless other events have it too. */
  readonly shared: SharedLabel | null;
  readonly changedBefore: ChangeBefore | null;
  readonly state: StateNow;
  readonly relapses: number;
  readonly acknowledged: Acknowledgment | null;
  readonly assigned: Assignment | null;
  readonly mute: Mute | null;
  readonly note: Note | null;
  /** The last incident with the same cause that somebody took or wrote a note about. */
  readonly lastTime: LastTime | null;
}

/** What was tried at an incident's channel and provider since it started, in the last five minutes at most. */
export interface Attempts {
  readonly since: Date;
  readonly failed: number;
  /** Failures of other causes there are in it too. */
  readonly tried: number;
}

export interface WorkflowShare {
  /** Its identifier; null: it was deleted. */
  readonly workflow: string | null;
  readonly workflowName: string | null;
  readonly failures: number;
  readonly critical: boolean;
  readonly attempts: Pick<Attempts, 'failed' | 'tried'> | null;
}

export const MOST_WORKFLOWS = 3;
export const SHARE_MS = 5 * 60_000;

export interface LastTime {
  readonly from: Date;
  readonly to: Date;
  readonly acknowledgedBy: string | null;
  readonly assignedTo: string | null;
  readonly resolvedBy: string | null;
  readonly note: Note | null;
}
