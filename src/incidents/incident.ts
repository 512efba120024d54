import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ChangeBefore } from '../changes/change.ts';
import { announcementOf, type Failure, type FailureKind, type Tally } from '../failures/failure.ts';
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

export function idsIn(value: string): string {
  return `(SELECT value::bigint FROM jsonb_array_elements_text(${value}::jsonb))`;
}

/** One cause at one channel and provider of one environment, over all workflows. */
export type IncidentKind = Omit<FailureKind, 'workflow' | 'workflowName'>;

export function kindOf(environment: string, failure: Failure): IncidentKind {
  const { channel, provider, cause, isTest, verdict } = failure;
  return { environment, channel, provider, cause, isTest, announcement: announcementOf(verdict) };
}

export function keyOf({ environment, channel, provider, cause, isTest, announcement }: IncidentKind): string {
  const identity = JSON.stringify([environment, channel, provider, cause.key, announcement, isTest]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

export type StateNow =
  | { readonly is: 'firing' }
  | { readonly is: 'recovering' | 'unconfirmed'; readonly since: Date }
  | { readonly is: 'resolved'; readonly at: Date; readonly by: string | null };

export function isOver({ is }: { readonly is: IncidentState }): boolean {
  return is !== 'firing';
}

export interface IncidentNow {
  readonly id: number;
  readonly asOf: Date;
  readonly tally: Tally;
  readonly firstAt: Date;
  readonly startedAt: Date;
  readonly workflows: readonly WorkflowShare[];
  readonly moreWorkflows: number;
  /** Null where a row shows only some of its failures, or warnings. */
  readonly attempts: Attempts | null;
  readonly staleSince: Date | null;
  readonly shared: SharedLabel | null;
  readonly changedBefore: ChangeBefore | null;
  readonly state: StateNow;
  readonly relapses: number;
  readonly acknowledged: { readonly by: string; readonly at: Date } | null;
  readonly assigned: { readonly to: string; readonly by: string; readonly at: Date } | null;
  readonly mute: Mute | null;
  readonly note: Note | null;
  /** Without a note: that of the last incident of its cause that has one. */
  readonly lastTime: { readonly from: Date; readonly note: Note } | null;
}

export interface Attempts {
  readonly since: Date;
  readonly failed: number;
  readonly tried: number;
}

export interface WorkflowShare {
  /** Null: it was deleted. */
  readonly workflow: string | null;
  readonly workflowName: string | null;
  readonly failures: number;
  readonly critical: boolean;
  readonly attempts: Pick<Attempts, 'failed' | 'tried'> | null;
}

export const MOST_WORKFLOWS = 3;
export const SHARE_MS = 5 * 60_000;
