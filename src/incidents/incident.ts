import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ChangeBefore } from '../changes/change.ts';
import { type Announcement, announcementOf, type Failure, type Tally } from '../failures/failure.ts';
import type { SharedLabel } from '../failures/labels.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS } from '../failures/verdict.ts';
import type { Note } from '../lib/input/typed-values.ts';
import type { incidents } from '../store/schema.ts';
import type { Mute } from '../watches/mutes.ts';
import type { IncidentState } from './state.ts';

/** Times of failures are the service's, the others ours. */
export type IncidentRow = typeof incidents.$inferSelect;

export const StoredVerdict = z.enum([...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS]);
export const StoredAnnouncement = z.enum(['announced', ...COUNTED_VERDICTS]);

/** SQL of a list of numbers, given as JSON in a value. */
export function idsIn(value: string): string {
  return `(SELECT value::bigint FROM jsonb_array_elements_text(${value}::jsonb))`;
}

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
  /** Somebody is working on it: mentions stop until it relapses. */
  readonly acknowledged: { readonly by: string; readonly at: Date } | null;
  readonly assigned: { readonly to: string; readonly by: string; readonly at: Date } | null;
  readonly mute: Mute | null;
  readonly note: Note | null;
  /** Without a note: that of the last incident with the same cause that has one, and when it began. */
  readonly lastTime: { readonly from: Date; readonly note: Note } | null;
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
