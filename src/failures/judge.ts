import { FreeText } from '../lib/text/scrub.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import {
  type ExecutionDetail,
  eventKey,
  goesOnAt,
  isDelivery,
  isFinal,
  isKnown,
  isSettled,
  type Job,
  type TriggeredEvent,
} from '../service/event.ts';
import type { ServiceTime } from '../service/query.ts';
import { causeOf } from './cause.ts';
import type { Failure } from './failure.ts';
import { type FailureVerdict, type Verdict, verdictOfDetail } from './verdict.ts';

export interface StepJudgement {
  readonly job: Job;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** The outcome of an event. `failures`: each Failed detail that awaits no retry, with its verdict, each Warning, and a stuck step. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly steps: readonly StepJudgement[];
  readonly failures: readonly Failure[];
  readonly isSettled: boolean;
}

export interface JudgedEvent {
  readonly event: TriggeredEvent;
  readonly judgement: Judgement;
}

/** Judges an event as of now by the service's clock, which dates events. */
export function judgeNow(
  event: TriggeredEvent,
  { service, now }: { readonly service: ServiceTime; readonly now: () => Date },
): Judgement {
  return judge(event, byServiceClock(now(), service.clockAheadMs()));
}

/** By the table in the field notes, "What a failure is". An event to which the service gives no time isn't stuck. */
export function judge(answered: TriggeredEvent, now: Date): Judgement {
  const event = lastSignOfLife(answered) === null ? { ...answered, createdAt: now } : answered;
  const judged = event.jobs.map((job) => judgeStep(job, event, now));
  const verdict = verdictOfEvent(event, judged, now);
  const stuck = stuckAt(judged, event, now);
  const failures = judged.flatMap(({ step, failed }) =>
    failed.map(({ detail, verdict: detailVerdict }) =>
      toFailure(
        answered,
        step.job,
        detail,
        detailVerdict === 'failed' && verdict.verdict === 'partly-failed' ? 'partly-failed' : detailVerdict,
      ),
    ),
  );
  return {
    ...verdict,
    steps: judged.map(({ step }) => step),
    failures: stuck === null ? failures : [...failures, toFailure(answered, stuck, stuckDetail(stuck), 'stuck')],
    isSettled: isSettled(event),
  };
}

type FailedStep = Pick<Job, 'id' | 'type' | 'status' | 'provider' | 'updatedAt'>;
type FailedDetail = Pick<ExecutionDetail, 'id' | 'detail' | 'raw' | 'isTest' | 'provider' | 'createdAt'>;

/** Returns the first overdue step, for which those after it are waiting. */
function stuckAt(judged: readonly JudgedStep[], event: TriggeredEvent, now: Date): FailedStep | null {
  if (judged.length > 0) return judged.find(({ step }) => step.verdict === 'stuck')?.step.job ?? null;
  return judgeWithoutSteps(event, now).verdict === 'stuck' ? notBegun(event) : null;
}

function notBegun(event: TriggeredEvent): FailedStep {
  return {
    id: 'none',
    type: 'trigger',
    status: 'pending',
    provider: null,
    updatedAt: event.updatedAt ?? event.createdAt,
  };
}

function stuckDetail({ status, updatedAt, provider }: FailedStep): FailedDetail {
  return {
    id: 'stuck',
    detail: new FreeText(`Still ${status} long after it should have been done`),
    raw: null,
    isTest: false,
    provider,
    createdAt: updatedAt,
  };
}

interface JudgedDetail {
  readonly detail: ExecutionDetail;
  readonly verdict: FailureVerdict;
}

interface JudgedStep {
  readonly step: StepJudgement;
  readonly failed: readonly JudgedDetail[];
}

function judgeStep(job: Job, event: TriggeredEvent, now: Date): JudgedStep {
  const failed = job.details
    .filter((detail) => detail.status === 'Failed' && !awaitsRetry(job, detail, event, now))
    .map((detail) => ({ detail, verdict: verdictOfDetail(job, detail) }));
  const warned = job.details
    .filter(({ status }) => status === 'Warning')
    .map((detail) => ({ detail, verdict: 'warning' }) as const);
  const step = verdictOfStep(job, failed, event, now);
  const isOnlyWarned = warned.length > 0 && failed.length === 0;
  return { step: { job, ...(isOnlyWarned ? withWarning(job, step) : step) }, failed: [...failed, ...warned] };
}

/** A failed attempt of an ongoing step may still succeed. Once the step is stuck, its failure counts. */
function awaitsRetry(job: Job, detail: ExecutionDetail, event: TriggeredEvent, now: Date): boolean {
  return detail.isRetry && !isFinal(job) && !isOverdue(event, now);
}

const STEP_GRAVITY: readonly FailureVerdict[] = [
  'failed',
  'partly-failed',
  'bounced',
  'undeliverable',
  'skipped-by-design',
  'retried-then-fine',
];

/** Newer services write a Warning instead of a Failed detail if there is nothing to deliver to. */
function withWarning({ status }: Job, step: Reasoned): Reasoned {
  if (step.verdict === 'delivered') return { verdict: 'warning', reason: 'completed, with a warning' };
  return status === 'canceled' ? { verdict: 'undeliverable', reason: FAILED_REASONS.undeliverable } : step;
}

const FAILED_REASONS: { readonly [V in FailureVerdict]: string } = {
  failed: 'the step has a Failed detail',
  'partly-failed': 'one channel, provider or device failed, another delivered',
  stuck: 'a step is not final long after it should have been',
  bounced: 'the step was completed, then the provider reported a failure',
  undeliverable: 'the step was canceled: there is nothing to deliver to',
  'skipped-by-design': 'a condition or an earlier step decided that it is not sent',
  'retried-then-fine': 'a try failed, a later one went through',
  warning: 'the service warned of a problem with its delivery',
};

type Reasoned = { readonly verdict: Verdict; readonly reason: string };

function verdictOfStep(job: Job, failed: readonly JudgedDetail[], event: TriggeredEvent, now: Date): Reasoned {
  const worst = STEP_GRAVITY.find((verdict) => failed.some((detail) => detail.verdict === verdict));
  if (worst) return { verdict: worst, reason: FAILED_REASONS[worst] };
  switch (job.status) {
    case 'completed':
      return { verdict: 'delivered', reason: 'completed' };
    case 'merged':
      return { verdict: 'delivered', reason: 'merged into another event by a digest' };
    case 'failed':
      return { verdict: 'failed', reason: 'the job failed without a Failed detail' };
    case 'skipped':
    case 'canceled':
      return { verdict: 'skipped-by-design', reason: `the job was ${job.status}` };
    default:
      return isStuck(job, event, now)
        ? { verdict: 'stuck', reason: `still ${job.status} long after it should have been done` }
        : { verdict: 'in-progress', reason: `still ${job.status}` };
  }
}

function verdictOfEvent(event: TriggeredEvent, judged: readonly JudgedStep[], now: Date): Reasoned {
  const deliveries = judged.map(({ step }) => step).filter((step) => isDelivery(step.job));
  const steps = judged.map(({ step }) => step);
  const isAny = (verdict: Verdict) => steps.some((step) => step.verdict === verdict);
  const delivered = deliveries.some(({ verdict }) => isDelivered(verdict));
  const isInPart = isAny('partly-failed') || (isAny('failed') && delivered);
  if (isInPart) return { verdict: 'partly-failed', reason: FAILED_REASONS['partly-failed'] };
  if (isAny('failed')) return { verdict: 'failed', reason: FAILED_REASONS.failed };
  if (isAny('bounced')) return { verdict: 'bounced', reason: FAILED_REASONS.bounced };
  if (isAny('stuck')) return { verdict: 'stuck', reason: FAILED_REASONS.stuck };
  if (steps.length === 0) return judgeWithoutSteps(event, now);
  if (!isSettled(event)) return { verdict: 'in-progress', reason: 'not every step is final' };
  if (isAny('warning')) return { verdict: 'warning', reason: FAILED_REASONS.warning };
  if (isAny('retried-then-fine')) return { verdict: 'retried-then-fine', reason: FAILED_REASONS['retried-then-fine'] };
  if (delivered || deliveries.length === 0) return { verdict: 'delivered', reason: deliveredReason(event) };
  if (isAny('undeliverable')) return { verdict: 'undeliverable', reason: FAILED_REASONS.undeliverable };
  return { verdict: 'skipped-by-design', reason: FAILED_REASONS['skipped-by-design'] };
}

function isDelivered(verdict: Verdict): boolean {
  return verdict === 'delivered' || verdict === 'retried-then-fine' || verdict === 'warning';
}

function deliveredReason(event: TriggeredEvent): string {
  return event.mergedInto === null ? 'every step is final and none failed' : 'merged into another event by a digest';
}

function judgeWithoutSteps(event: TriggeredEvent, now: Date): Reasoned {
  if (!event.listsSteps) return { verdict: 'in-progress', reason: "the answer doesn't show its steps" };
  const age = now.getTime() - (event.createdAt ?? event.updatedAt ?? now).getTime();
  return age > STUCK_AFTER_MS
    ? { verdict: 'stuck', reason: 'no step was started' }
    : { verdict: 'in-progress', reason: 'no step was started yet' };
}

function toFailure(event: TriggeredEvent, job: FailedStep, detail: FailedDetail, verdict: FailureVerdict): Failure {
  return {
    eventKey: eventKey(event),
    eventId: event.id,
    transactionId: event.transactionId,
    subscriberId: event.subscriber?.subscriberId ?? null,
    workflow: event.workflow?.identifier ?? null,
    workflowName: event.workflow?.name ?? null,
    jobId: job.id,
    detailId: detail.id,
    channel: job.type,
    provider: detail.provider ?? job.provider,
    cause: causeOf(detail),
    verdict,
    isTest: detail.isTest,
    severity: event.severity,
    critical: event.critical,
    topics: event.topicKeys,
    contexts: event.contextKeys,
    tags: event.tags,
    occurredAt: occurredAt(event, job, detail),
    eventCreatedAt: event.createdAt,
  };
}

/** Nothing fails before its event, so a wrong clock or zone can't make a failure of now one of the past. */
function occurredAt({ createdAt }: TriggeredEvent, job: FailedStep, detail: FailedDetail): Date | null {
  const stated = detail.createdAt ?? job.updatedAt ?? createdAt;
  return stated !== null && createdAt !== null && stated < createdAt ? createdAt : stated;
}

/** How long after its last sign of life an event counts as stuck, unless it is waiting for a digest or delay. */
export const STUCK_AFTER_MS = 15 * 60_000;

function isStuck(job: Job, event: TriggeredEvent, now: Date): boolean {
  return isOverdue(event, now) && whatHolds(job, event.jobs).every(isKnown);
}

function isOverdue(event: TriggeredEvent, now: Date): boolean {
  const lastSign = lastSignOfLife(event) ?? now.getTime();
  const waits = event.jobs.filter(isWaiting).map((other) => goesOnAt(other, new Date(lastSign)).getTime());
  return now.getTime() > Math.max(lastSign, ...waits) + STUCK_AFTER_MS;
}

function whatHolds(job: Job, jobs: readonly Job[]): readonly Job[] {
  return job.status === NOT_BEGUN ? jobs : jobs.slice(0, jobs.indexOf(job) + 1);
}

const NOT_BEGUN = 'pending';
const WAITING_STEPS = new Set(['digest', 'delay']);

/** The contract leaves the statuses open: any that isn't final counts, unless the step hasn't begun because of one before it. */
function isWaiting(job: Job, index: number, jobs: readonly Job[]): boolean {
  if (isFinal(job)) return false;
  if (job.status === 'delayed') return true;
  const isNext = job.status !== NOT_BEGUN || jobs.slice(0, index).every(isFinal);
  return isNext && WAITING_STEPS.has(job.type) && statesWait(job);
}

function statesWait({ wait, scheduleExtensions }: Job): boolean {
  return (
    scheduleExtensions > 0 || (wait !== null && (wait.ms !== null || wait.until !== null || wait.type === 'timed'))
  );
}

/** Returns the latest time that an event states, in milliseconds; null if it states none. */
function lastSignOfLife(event: TriggeredEvent): number | null {
  const times = [event.createdAt, event.updatedAt, ...event.jobs.map((job) => job.updatedAt)];
  const details = event.jobs.flatMap((job) => job.details.map((detail) => detail.createdAt));
  const known = [...times, ...details].flatMap((time) => (time === null ? [] : [time.getTime()]));
  return known.length === 0 ? null : Math.max(...known);
}

export interface Delivered {
  readonly channel: string;
  readonly provider: string | null;
  readonly at: Date;
}

export function deliveriesOf(event: TriggeredEvent, { steps }: Judgement): Delivered[] {
  return steps.flatMap(({ job, verdict }) => {
    const at = job.updatedAt ?? event.updatedAt ?? event.createdAt;
    if (!isDelivered(verdict) || job.status !== 'completed' || !isDelivery(job) || at === null) return [];
    return [{ channel: job.type, provider: job.provider, at }];
  });
}
