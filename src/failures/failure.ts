import { boundedId, maybeBoundedId } from '../lib/text/shown-id.ts';
import { type AnnouncedVerdict, type CountedVerdict, type FailureVerdict, isAnnounced } from './verdict.ts';

/** Why something failed: `text` for people, `key` for grouping, without IDs, numbers, addresses and times. */
export interface Cause {
  readonly text: string;
  readonly key: string;
}

/** A detail with status `Failed` or `Warning`, or a stuck step, with all that a row and an answer need of its event. */
export interface Failure {
  readonly eventKey: string;
  readonly eventId: string | null;
  readonly transactionId: string;
  readonly subscriberId: string | null;
  /** The workflow's identifier; null if the workflow was deleted. */
  readonly workflow: string | null;
  readonly workflowName: string | null;
  readonly jobId: string;
  readonly detailId: string;
  /** The step's type: email, sms, … */
  readonly channel: string;
  readonly provider: string | null;
  readonly cause: Cause;
  readonly verdict: FailureVerdict;
  readonly isTest: boolean;
  readonly severity: string | null;
  readonly critical: boolean;
  readonly topics: readonly string[];
  /** The keys of its event's contexts: 'tenant:acme'. */
  readonly contexts: readonly string[];
  readonly tags: readonly string[];
  /** When it failed: the detail's time, else the job's, else the event's, but not before the event; null if the service gives none. */
  readonly occurredAt: Date | null;
  readonly eventCreatedAt: Date | null;
}

export type Announcement = 'announced' | CountedVerdict;

export function announcementOf(verdict: FailureVerdict): Announcement {
  return isAnnounced(verdict) ? 'announced' : verdict;
}

/** What failures of one workflow have in common, as a row of an answer shows it. */
export interface FailureKind {
  readonly key: string;
  readonly environment: string;
  readonly workflow: string | null;
  readonly workflowName: string | null;
  readonly channel: string;
  readonly provider: string | null;
  readonly cause: Cause;
  readonly announcement: Announcement;
  readonly isTest: boolean;
}

export function withBoundedIds(failure: Failure): Failure {
  return {
    ...failure,
    eventKey: boundedId(failure.eventKey),
    eventId: maybeBoundedId(failure.eventId),
    transactionId: boundedId(failure.transactionId),
    subscriberId: maybeBoundedId(failure.subscriberId),
    workflow: maybeBoundedId(failure.workflow),
    jobId: boundedId(failure.jobId),
    detailId: boundedId(failure.detailId),
    channel: boundedId(failure.channel),
    provider: maybeBoundedId(failure.provider),
    severity: maybeBoundedId(failure.severity),
    topics: failure.topics.map(boundedId),
    contexts: failure.contexts.map(boundedId),
    tags: failure.tags.map(boundedId),
  };
}

export function keyed(kind: Omit<FailureKind, 'key'>): FailureKind {
  const { environment, workflow, channel, provider, cause, announcement, isTest } = kind;
  return {
    ...kind,
    key: JSON.stringify([environment, workflow, channel, provider, cause.key, announcement, isTest]),
  };
}

export interface Example {
  readonly eventId: string | null;
  readonly transactionId: string;
  readonly subscriberId: string | null;
}

export interface Tally {
  readonly kind: FailureKind;
  /** The newest incident that it belongs to; null where that isn't known. */
  readonly incidentId: number | null;
  readonly verdict: FailureVerdict;
  readonly failures: number;
  readonly subscribers: number;
  readonly events: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly severity: string | null;
  readonly critical: boolean;
  readonly example: Example;
}

export type VerdictCounts = { readonly [V in AnnouncedVerdict | CountedVerdict]?: number };

const GRAVITY: readonly FailureVerdict[] = [
  'failed',
  'bounced',
  'partly-failed',
  'stuck',
  'undeliverable',
  'warning',
  'retried-then-fine',
  'skipped-by-design',
];

export function gravest(verdicts: Iterable<FailureVerdict>): FailureVerdict {
  const present = new Set(verdicts);
  return GRAVITY.find((verdict) => present.has(verdict)) ?? 'failed';
}

/** The gravest first (contract, "Triggered event"). */
export const SEVERITIES: readonly string[] = ['high', 'medium', 'low', 'none'];

/** Returns 0 for the highest severity; an unknown one ranks before 'none', so that it isn't overlooked. */
export function severityRank(severity: string | null): number {
  if (severity === null) return SEVERITIES.length;
  const rank = SEVERITIES.indexOf(severity);
  return rank === -1 ? SEVERITIES.indexOf('none') - 0.5 : rank;
}

export function highestSeverity<Severity extends string | null>(severities: readonly Severity[]): Severity | null {
  return severities.toSorted((a, b) => severityRank(a) - severityRank(b))[0] ?? null;
}

/** The order of rows: real before test, critical first, then severity, then the most failures, then the newest. */
export function compareTallies(a: Tally, b: Tally): number {
  return (
    Number(a.kind.isTest) - Number(b.kind.isTest) ||
    Number(b.critical) - Number(a.critical) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    b.failures - a.failures ||
    b.lastSeen.getTime() - a.lastSeen.getTime() ||
    a.kind.key.localeCompare(b.kind.key)
  );
}
