import { max } from 'date-fns';
import { FreeText } from '../lib/text/scrub.ts';
import { boundedId, maybeBoundedId, type Plain } from '../lib/text/shown-id.ts';
import { type ExecutionDetail, eventKey, type Job, type TriggeredEvent } from '../service/event.ts';
import type { Attempt } from './attempts.ts';
import { causeOf } from './cause.ts';
import {
  type CountedVerdict,
  FAILURE_VERDICTS,
  type FailureVerdict,
  isAnnounced,
  ON_REQUEST_VERDICTS,
} from './verdict.ts';

export type Failure = Plain<ReturnType<typeof failureOf>>;

type FailedStep = Pick<Job, 'id' | 'type' | 'updatedAt'>;
type FailedAttempt = Pick<Attempt, 'provider'> & {
  decisive: Pick<ExecutionDetail, 'detail' | 'raw' | 'isTest' | 'createdAt'> | null;
};

const REPORTED: { [V in FailureVerdict]?: string } = {
  complained: 'Reported as spam by the recipient',
  unsubscribed: 'The recipient unsubscribed',
};

export function failureOf(event: TriggeredEvent, job: FailedStep, attempt: FailedAttempt, verdict: FailureVerdict) {
  const { provider, decisive } = attempt;
  const stated = decisive?.createdAt ?? job.updatedAt ?? event.createdAt;
  const reported = REPORTED[verdict];
  const said = { detail: decisive?.detail ?? new FreeText(''), raw: decisive?.raw ?? null };
  return {
    eventKey: eventKey(event),
    eventId: maybeBoundedId(event.id),
    transactionId: boundedId(event.transactionId),
    subscriberId: event.subscriber?.subscriberId ?? null,
    workflow: maybeBoundedId(event.workflow?.identifier ?? null),
    workflowName: event.workflow?.name ?? null,
    jobId: boundedId(job.id),
    channel: boundedId(job.type),
    provider: maybeBoundedId(provider),
    cause: causeOf(reported === undefined ? said : { detail: new FreeText(reported), raw: null }),
    verdict,
    isUnexplained: decisive === null,
    isTest: decisive?.isTest ?? false,
    severity: maybeBoundedId(event.severity),
    critical: event.critical,
    topics: event.topicKeys,
    contexts: event.contextKeys,
    tags: event.tags,
    // A wrong clock can date a failure before its event.
    occurredAt: stated && max([stated, event.createdAt ?? stated]),
    eventCreatedAt: event.createdAt,
  };
}

export function stuckFailureOf(event: TriggeredEvent, job: Job | null): Failure {
  const { updatedAt = event.updatedAt ?? event.createdAt, provider = null, status = 'pending' } = job ?? {};
  const sentence = job?.isMergedIntoItself
    ? 'Merged into itself by a digest, so it is never sent'
    : `Still ${status} long after it should have been done`;
  const decisive = { detail: new FreeText(sentence), raw: null, isTest: false, createdAt: updatedAt };
  const step = { id: job?.id ?? 'none', type: job?.type ?? 'trigger', updatedAt };
  return failureOf(event, step, { provider, decisive }, 'stuck');
}

export type Announcement = 'announced' | CountedVerdict;

/** Incidents of these begin, end and come back; others are only counted. */
export const WATCHED: readonly Announcement[] = ['announced', ...ON_REQUEST_VERDICTS];

export const announcementOf = (verdict: FailureVerdict): Announcement => (isAnnounced(verdict) ? 'announced' : verdict);

export type VerdictCounts = { [V in FailureVerdict]?: number };

export function mostSevere(verdicts: readonly FailureVerdict[]): FailureVerdict {
  return FAILURE_VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'failed';
}

export const SEVERITIES: readonly string[] = ['high', 'medium', 'low', 'none'];
