import { max } from 'date-fns';
import { FreeText } from '../lib/text/scrub.ts';
import { boundedId, maybeBoundedId, type Plain, type Storable } from '../lib/text/shown-id.ts';
import { type ExecutionDetail, eventKey, type Job, type TriggeredEvent } from '../service/event.ts';
import type { Attempt } from './attempts.ts';
import { type Cause, causeOf } from './cause.ts';
import { domainOf } from './domains.ts';
import type { RecordedVerdict } from './verdict.ts';

/** An attempt that failed, with the words that say why. */
interface JudgedFailure {
  eventKey: string;
  eventId: Storable | null;
  transactionId: Storable;
  subscriberId: string | null;
  workflow: Storable | null;
  workflowName: string | null;
  jobId: Storable;
  channel: Storable;
  provider: Storable | null;
  cause: Cause;
  verdict: RecordedVerdict;
  /** The service says that it failed, and not why. */
  isUnexplained: boolean;
  isTest: boolean;
  severity: Storable | null;
  critical: boolean;
  topics: readonly string[];
  contexts: readonly string[];
  tags: readonly string[];
  /** What `domainOf` says of its recipient. */
  domain: string | null;
  occurredAt: Date | null;
  eventCreatedAt: Date | null;
}

export type Failure = Plain<JudgedFailure>;

export const SEVERITIES: readonly string[] = ['high', 'medium', 'low', 'none'];

type FailedStep = Pick<Job, 'id' | 'type' | 'updatedAt'>;

interface FailedAttempt {
  provider: string | null;
  /** The detail that says why it failed; null: none does. */
  decisive: Pick<ExecutionDetail, 'detail' | 'raw' | 'isTest' | 'createdAt'> | null;
}

/** What a recipient did, of which a provider's own words say no more. */
const REPORTED: { [V in RecordedVerdict]?: string } = {
  complained: 'Reported as spam by the recipient',
  unsubscribed: 'The recipient unsubscribed',
};

export function failureOf(
  event: TriggeredEvent,
  job: FailedStep,
  attempt: FailedAttempt,
  verdict: RecordedVerdict,
): JudgedFailure {
  const { provider, decisive } = attempt;
  const stated = decisive?.createdAt ?? job.updatedAt ?? event.createdAt;
  const reported = REPORTED[verdict];
  const detail = reported === undefined ? decisive : null;
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
    cause: causeOf(detail ?? { detail: new FreeText(reported ?? ''), raw: null }),
    verdict,
    isUnexplained: decisive === null,
    isTest: decisive?.isTest ?? false,
    severity: maybeBoundedId(event.severity),
    critical: event.critical,
    topics: event.topicKeys,
    contexts: event.contextKeys,
    tags: event.tags,
    domain: domainOf(event, job.type, provider),
    // A wrong clock can date a failure before its event.
    occurredAt: stated && max([stated, event.createdAt ?? stated]),
    eventCreatedAt: event.createdAt,
  };
}

/** A step that never came to an end. */
interface StuckStep {
  job: Job;
  attempts: readonly Attempt[];
}

/** `stuck` null: none of the event's steps was begun. */
export function stuckFailureOf(event: TriggeredEvent, stuck: StuckStep | null): JudgedFailure {
  const job = stuck?.job ?? null;
  const provider = stuck?.attempts[0]?.provider ?? null;
  const { updatedAt = event.updatedAt ?? event.createdAt, status = 'pending' } = job ?? {};
  const sentence = job?.isMergedIntoItself
    ? 'Merged into itself by a digest, so it is never sent'
    : `Still ${status} long after it should have been done`;
  const decisive = { detail: new FreeText(sentence), raw: null, isTest: false, createdAt: updatedAt };
  const step = { id: job?.id ?? 'none', type: job?.type ?? 'trigger', updatedAt };
  return failureOf(event, step, { provider, decisive }, 'stuck');
}
