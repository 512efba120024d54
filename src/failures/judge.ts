import { FreeText } from '../lib/text/scrub.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import {
  type ExecutionDetail,
  goesOnAt,
  isDelivery,
  isFinal,
  isKnown,
  isSettled,
  type Job,
  type TriggeredEvent,
} from '../service/event.ts';
import type { ServiceTime } from '../service/query.ts';
import { type FailedDetail, type FailedStep, type Failure, failureOf } from './failure.ts';
import { type FailureVerdict, type Verdict, verdictOfDetail } from './verdict.ts';

interface Reasoned {
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface StepJudgement extends Reasoned {
  readonly job: Job;
}

/** The outcome of an event. `failures`: each Failed detail that awaits no retry, with its verdict, each Warning, and a stuck step. */
export interface Judgement extends Reasoned {
  readonly steps: readonly StepJudgement[];
  readonly failures: readonly Failure[];
  readonly isSettled: boolean;
}

export interface JudgedEvent {
  readonly event: TriggeredEvent;
  readonly judgement: Judgement;
}

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
  const steps = judged.map(({ step }) => step);
  const outcome = steps.length === 0 ? judgeWithoutSteps(event, now) : judgeEvent(event, steps);
  const failures = judged.flatMap(({ step, failed }) =>
    failed.map(({ detail, verdict }) => {
      const isInPart = verdict === 'failed' && outcome.verdict === 'partly-failed';
      return failureOf(answered, step.job, detail, isInPart ? 'partly-failed' : verdict);
    }),
  );
  return {
    ...outcome,
    steps,
    failures: [...failures, ...stuckFailures(answered, steps, outcome)],
    isSettled: isSettled(event),
  };
}

/** Of the first overdue step, for which those after it are waiting; or of an event of which no step was begun. */
function stuckFailures(event: TriggeredEvent, steps: readonly StepJudgement[], { verdict }: Reasoned): Failure[] {
  const notBegun: FailedStep = {
    ...{ id: 'none', type: 'trigger', status: 'pending', provider: null },
    updatedAt: event.updatedAt ?? event.createdAt,
  };
  const isNotBegun = steps.length === 0 && verdict === 'stuck';
  const stuck = isNotBegun ? notBegun : steps.find((step) => step.verdict === 'stuck')?.job;
  if (stuck === undefined) return [];
  const detail: FailedDetail = {
    id: 'stuck',
    detail: new FreeText(`Still ${stuck.status} long after it should have been done`),
    ...{ raw: null, isTest: false, provider: stuck.provider, createdAt: stuck.updatedAt },
  };
  return [failureOf(event, stuck, detail, 'stuck')];
}

interface JudgedDetail {
  readonly detail: ExecutionDetail;
  readonly verdict: FailureVerdict;
}

function judgeStep(job: Job, event: TriggeredEvent, now: Date) {
  const isOngoing = !isFinal(job) && !isOverdue(event, now);
  const failed = job.details
    // A failed attempt of an ongoing step may still succeed.
    .filter(({ status, isRetry }) => status === 'Failed' && !(isRetry && isOngoing))
    .map((detail): JudgedDetail => ({ detail, verdict: verdictOfDetail(job, detail) }));
  const warned = job.details
    .filter(({ status }) => status === 'Warning')
    .map((detail): JudgedDetail => ({ detail, verdict: 'warning' }));
  const worst = STEP_GRAVITY.find((verdict) => failed.some((detail) => detail.verdict === verdict));
  const step = worst === undefined ? withoutFailure(job, warned.length > 0, event, now) : because(worst);
  return { step: { job, ...step }, failed: [...failed, ...warned] };
}

const STEP_GRAVITY: readonly FailureVerdict[] = [
  ...(['failed', 'partly-failed', 'bounced', 'undeliverable', 'skipped-by-design', 'retried-then-fine'] as const),
];

const REASONS: { readonly [V in FailureVerdict]: string } = {
  failed: 'the step has a Failed detail',
  'partly-failed': 'one channel, provider or device failed, another delivered',
  stuck: 'a step is not final long after it should have been',
  bounced: 'the step was completed, then the provider reported a failure',
  undeliverable: 'the step was canceled: there is nothing to deliver to',
  'skipped-by-design': 'a condition or an earlier step decided that it is not sent',
  'retried-then-fine': 'a try failed, a later one went through',
  warning: 'the service warned of a problem with its delivery',
};

function because(verdict: FailureVerdict): Reasoned {
  return { verdict, reason: REASONS[verdict] };
}

const MERGED = 'merged into another event by a digest';

/** Newer services write a Warning instead of a Failed detail if there is nothing to deliver to. */
function withoutFailure(job: Job, isWarned: boolean, event: TriggeredEvent, now: Date): Reasoned {
  switch (job.status) {
    case 'completed':
    case 'merged':
      if (isWarned) return { verdict: 'warning', reason: 'completed, with a warning' };
      return { verdict: 'delivered', reason: job.status === 'merged' ? MERGED : 'completed' };
    case 'failed':
      return { verdict: 'failed', reason: 'the job failed without a Failed detail' };
    case 'skipped':
    case 'canceled':
      if (isWarned && job.status === 'canceled') return because('undeliverable');
      return { verdict: 'skipped-by-design', reason: `the job was ${job.status}` };
    default:
      return isOverdue(event, now) && whatHolds(job, event.jobs).every(isKnown)
        ? { verdict: 'stuck', reason: `still ${job.status} long after it should have been done` }
        : { verdict: 'in-progress', reason: `still ${job.status}` };
  }
}

function judgeEvent(event: TriggeredEvent, steps: readonly StepJudgement[]): Reasoned {
  const isAny = (verdict: Verdict) => steps.some((step) => step.verdict === verdict);
  const deliveries = steps.filter((step) => isDelivery(step.job));
  const isAnyDelivered = deliveries.some(({ verdict }) => isDelivered(verdict));
  if (isAny('partly-failed') || (isAny('failed') && isAnyDelivered)) return because('partly-failed');
  const failed = (['failed', 'bounced', 'stuck'] as const).find(isAny);
  if (failed !== undefined) return because(failed);
  if (!isSettled(event)) return { verdict: 'in-progress', reason: 'not every step is final' };
  const doubtful = (['warning', 'retried-then-fine'] as const).find(isAny);
  if (doubtful !== undefined) return because(doubtful);
  if (!isAnyDelivered && deliveries.length > 0)
    return because(isAny('undeliverable') ? 'undeliverable' : 'skipped-by-design');
  return { verdict: 'delivered', reason: event.mergedInto === null ? 'every step is final and none failed' : MERGED };
}

function isDelivered(verdict: Verdict): boolean {
  return verdict === 'delivered' || verdict === 'retried-then-fine' || verdict === 'warning';
}

function judgeWithoutSteps(event: TriggeredEvent, now: Date): Reasoned {
  if (!event.listsSteps) return { verdict: 'in-progress', reason: "the answer doesn't show its steps" };
  const age = now.getTime() - (event.createdAt ?? event.updatedAt ?? now).getTime();
  return age > STUCK_AFTER_MS
    ? { verdict: 'stuck', reason: 'no step was started' }
    : { verdict: 'in-progress', reason: 'no step was started yet' };
}

/** How long after its last sign of life an event counts as stuck, unless it is waiting for a digest or delay. */
export const STUCK_AFTER_MS = 15 * MINUTE_MS;

function isOverdue(event: TriggeredEvent, now: Date): boolean {
  const lastSign = lastSignOfLife(event) ?? now.getTime();
  const waits = event.jobs.filter(isWaiting).map((job) => goesOnAt(job, new Date(lastSign)).getTime());
  return now.getTime() > Math.max(lastSign, ...waits) + STUCK_AFTER_MS;
}

function whatHolds(job: Job, jobs: readonly Job[]): readonly Job[] {
  return job.status === NOT_BEGUN ? jobs : jobs.slice(0, jobs.indexOf(job) + 1);
}

const NOT_BEGUN = 'pending';

/** The contract leaves the statuses open: any that isn't final counts, unless the step hasn't begun because of one before it. */
function isWaiting(job: Job, index: number, jobs: readonly Job[]): boolean {
  if (isFinal(job)) return false;
  if (job.status === 'delayed') return true;
  const isNext = job.status !== NOT_BEGUN || jobs.slice(0, index).every(isFinal);
  const { type, wait, scheduleExtensions } = job;
  const statesWait = wait !== null && (wait.ms !== null || wait.until !== null || wait.type === 'timed');
  return isNext && (type === 'digest' || type === 'delay') && (scheduleExtensions > 0 || statesWait);
}

/** Returns the latest time that an event states, in milliseconds; null if it states none. */
function lastSignOfLife(event: TriggeredEvent): number | null {
  const ofJobs = event.jobs.flatMap(({ updatedAt, details }) => [
    updatedAt,
    ...details.map((detail) => detail.createdAt),
  ]);
  const known = [event.createdAt, event.updatedAt, ...ofJobs].flatMap((time) => time?.getTime() ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

export interface Delivered {
  readonly channel: string;
  readonly provider: string | null;
  readonly at: Date;
}

export function deliveriesOf(event: TriggeredEvent, { steps }: Pick<Judgement, 'steps'>): Delivered[] {
  return steps.flatMap(({ job, verdict }) => {
    const at = job.updatedAt ?? event.updatedAt ?? event.createdAt;
    if (!isDelivered(verdict) || job.status !== 'completed' || !isDelivery(job) || at === null) return [];
    return [{ channel: job.type, provider: job.provider, at }];
  });
}
