import { boundedId, maybeBoundedId } from '../lib/text/shown-id.ts';
import { type ExecutionDetail, eventKey, type Job, type TriggeredEvent } from '../service/event.ts';
import { causeOf } from './cause.ts';
import { type CountedVerdict, FAILURE_VERDICTS, type FailureVerdict, isAnnounced } from './verdict.ts';

export type Failure = ReturnType<typeof failureOf>;

export type FailedStep = Pick<Job, 'id' | 'type' | 'status' | 'provider' | 'updatedAt'>;
export type FailedDetail = Pick<ExecutionDetail, 'id' | 'detail' | 'raw' | 'isTest' | 'provider' | 'createdAt'>;

export function failureOf(event: TriggeredEvent, job: FailedStep, detail: FailedDetail, verdict: FailureVerdict) {
  const stated = detail.createdAt ?? job.updatedAt ?? event.createdAt;
  return {
    eventKey: eventKey(event),
    eventId: maybeBoundedId(event.id),
    transactionId: boundedId(event.transactionId),
    subscriberId: event.subscriber?.subscriberId ?? null,
    workflow: maybeBoundedId(event.workflow?.identifier ?? null),
    workflowName: event.workflow?.name ?? null,
    jobId: boundedId(job.id),
    detailId: boundedId(detail.id),
    channel: boundedId(job.type),
    provider: maybeBoundedId(detail.provider ?? job.provider),
    cause: causeOf(detail),
    verdict,
    isTest: detail.isTest,
    severity: maybeBoundedId(event.severity),
    critical: event.critical,
    topics: event.topicKeys,
    contexts: event.contextKeys,
    tags: event.tags,
    // Nothing fails before its event, whatever a wrong clock says.
    occurredAt: stated !== null && event.createdAt !== null && stated < event.createdAt ? event.createdAt : stated,
    eventCreatedAt: event.createdAt,
  };
}

export type Announcement = 'announced' | CountedVerdict;

/** Their incidents begin, end and come back; the others are only counted. */
export const WATCHED: readonly Announcement[] = ['announced', 'warning'];

export function announcementOf(verdict: FailureVerdict): Announcement {
  return isAnnounced(verdict) ? 'announced' : verdict;
}

/** Warnings only where a filter names them. */
export function announcementsFor(verdicts: readonly string[]): readonly Announcement[] {
  return verdicts.includes('warning') ? WATCHED : ['announced'];
}

export type VerdictCounts = { [V in FailureVerdict]?: number };

export function gravest(verdicts: readonly FailureVerdict[]): FailureVerdict {
  return FAILURE_VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'failed';
}

/** The gravest first. */
export const SEVERITIES: readonly string[] = ['high', 'medium', 'low', 'none'];

/** An unknown one ranks before 'none', so that it isn't overlooked. */
export function severityRank(severity: string | null): number {
  if (severity === null) return SEVERITIES.length;
  const rank = SEVERITIES.indexOf(severity);
  return rank === -1 ? SEVERITIES.indexOf('none') - 0.5 : rank;
}

export function highestSeverity<Severity extends string | null>(severities: readonly Severity[]): Severity | null {
  return severities.toSorted((a, b) => severityRank(a) - severityRank(b))[0] ?? null;
}
