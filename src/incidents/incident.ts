import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { EnvironmentChange } from '../changes/change.ts';
import type { Gap } from '../coverage/gap.ts';
import { type Announcement, announcementOf, type Failure, highestSeverity, severityRank } from '../failures/failure.ts';
import type { SharedLabel } from '../failures/labels.ts';
import { FAILURE_VERDICTS, type FailureVerdict } from '../failures/verdict.ts';
import type { ServiceProblem } from '../lib/errors.ts';
import type { Mute } from '../watches/running-mutes.ts';
import type { IncidentState } from './state.ts';
import type { incidents } from './tables.ts';

/** Times of failures are the service's, the others ours. */
export type IncidentRow = typeof incidents.$inferSelect;

export const StoredVerdict = z.enum(FAILURE_VERDICTS);

/** One cause at one channel and provider of one environment, over all workflows. */
export interface IncidentKind extends Pick<Failure, 'channel' | 'provider' | 'cause' | 'isTest'> {
  environment: string;
  announcement: Announcement;
}

export function kindOf(environment: string, failure: Failure): IncidentKind {
  const { channel, provider, cause, isTest, verdict } = failure;
  return { environment, channel, provider, cause, isTest, announcement: announcementOf(verdict) };
}

export function keyOf({ environment, channel, provider, cause, isTest, announcement }: IncidentKind): string {
  const identity = JSON.stringify([environment, channel, provider, cause.key, announcement, isTest]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

export type StateNow =
  | { is: 'firing' }
  | { is: 'recovering' | 'unconfirmed'; since: Date }
  | { is: 'resolved'; at: Date; by: string | null };

export function isFiring({ is }: { is: IncidentState }): boolean {
  return is === 'firing';
}

export interface Note {
  by: string;
  at: Date;
  text: string;
}

/** An environment that can't be read. */
export interface Outage {
  /** Null once it is read again. */
  problem: ServiceProblem | null;
  uncheckedSince: Date;
  /** Null: it isn't kept any more. */
  gap: Gap | null;
}

export interface IncidentNow extends Omit<IncidentKind, 'announcement'> {
  id: number;
  asOf: Date;
  verdict: FailureVerdict;
  /** Since `startedAt`, like all that is shown of it. */
  failures: number;
  /** Before its relapses, too. */
  recorded: number;
  subscribers: number;
  lastAt: Date;
  severity: string | null;
  critical: boolean;
  /** Null: attempts fail at its channel and provider; an outage has neither. */
  outage: Outage | null;
  example: Pick<Failure, 'eventId' | 'transactionId' | 'subscriberId'>;
  /** Null: nothing explains its cause. */
  headline: string | null;
  firstAt: Date;
  startedAt: Date;
  workflows: readonly WorkflowShare[];
  moreWorkflows: number;
  /** Null where a row shows only some of its failures, or warnings. */
  attempts: Attempts | null;
  staleSince: Date | null;
  shared: SharedLabel | null;
  changedBefore: EnvironmentChange | null;
  state: StateNow;
  relapses: number;
  acknowledged: { by: string; at: Date } | null;
  /** By whom before it relapsed. */
  formerly: { by: string; at: Date } | null;
  assignedTo: string | null;
  mute: Mute | null;
  note: Note | null;
  /** A newer one that says less hides nothing. */
  earlierNote: Note | null;
  /** With one note at most: that of the last incident of its cause that has one. */
  lastTime: { from: Date; note: Note } | null;
}

export function withSeverity<Row extends Pick<IncidentRow, 'severities'>>(row: Row) {
  return { ...row, severity: highestSeverity(row.severities) };
}

type Ranked = Pick<IncidentNow, 'id' | 'isTest' | 'critical' | 'severity' | 'failures' | 'lastAt'>;

export function compareIncidents(a: Ranked, b: Ranked): number {
  return (
    Number(a.isTest) - Number(b.isTest) ||
    Number(b.critical) - Number(a.critical) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    b.failures - a.failures ||
    b.lastAt.getTime() - a.lastAt.getTime() ||
    a.id - b.id
  );
}

export interface Attempts {
  since: Date;
  failed: number;
  tried: number;
}

export interface WorkflowShare {
  /** Null: it was deleted. */
  workflow: string | null;
  workflowName: string | null;
  failures: number;
  critical: boolean;
  attempts: Pick<Attempts, 'failed' | 'tried'> | null;
}
