import { addMilliseconds, max } from 'date-fns';
import { FreeText } from '../lib/text/scrub.ts';
import { MINUTE_MS, WEEK_MS } from '../lib/time/durations.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import { isDelivery, isFinal, isKnown, isSettled, type Job, type TriggeredEvent } from '../service/event.ts';
import type { NotificationService } from '../service/operations.ts';
import { type FailedDetail, type FailedStep, type Failure, failureOf, gravest } from './failure.ts';
import { type FailureVerdict, type Verdict, verdictOfDetail } from './verdict.ts';

export interface StepJudgement {
  job: Job;
  verdict: Verdict;
}

/** `failures`: each Failed detail that awaits no retry, each Warning, a stuck step. */
export interface Judgement {
  verdict: Verdict;
  steps: readonly StepJudgement[];
  failures: readonly Failure[];
}

/** The failure that the verdict is about. */
export function decisiveFailure({ verdict, failures }: Judgement): Failure | undefined {
  return failures.find((failure) => failure.verdict === verdict);
}

export interface JudgedEvent {
  event: TriggeredEvent;
  judgement: Judgement;
}

export function judgeNow(
  event: TriggeredEvent,
  { service, now }: { service: Pick<NotificationService, 'clockAheadMs'>; now: () => Date },
): Judgement {
  return judge(event, byServiceClock(now(), service.clockAheadMs()));
}

/** A digest of thousands of recipients can have tens of thousands, and each is scrubbed. */
const MOST_FAILURES = 200;

export function judge(event: TriggeredEvent, now: Date): Judgement {
  const isLate = isOverdue(event, now);
  const judged = event.jobs.map((job) => judgeStep(job, event.jobs, isLate));
  const steps = judged.map(({ job, verdict }) => ({ job, verdict }));
  const verdict = eventVerdict(event, steps, isLate);
  const details = judged.flatMap(({ job, failures }) => failures.map((failure) => ({ job, ...failure })));
  const failures = details
    .slice(0, MOST_FAILURES)
    .map(({ job, detail, verdict: found }) =>
      failureOf(event, job, detail, found === 'failed' && verdict === 'partly-failed' ? verdict : found),
    );
  return { verdict, steps, failures: [...failures, ...stuckFailures(event, steps, verdict)] };
}

function stuckFailures(event: TriggeredEvent, steps: readonly StepJudgement[], verdict: Verdict): Failure[] {
  const notBegun = { id: 'none', type: 'trigger', status: 'pending', provider: null };
  const isNotBegun = steps.length === 0 && verdict === 'stuck';
  const stuck: FailedStep | undefined = isNotBegun
    ? { ...notBegun, updatedAt: event.updatedAt ?? event.createdAt }
    : steps.find((step) => step.verdict === 'stuck')?.job;
  if (stuck === undefined) return [];
  const detail: FailedDetail = {
    id: 'stuck',
    detail: new FreeText(`Still ${stuck.status} long after it should have been done`),
    raw: null,
    isTest: false,
    provider: stuck.provider,
    createdAt: stuck.updatedAt,
  };
  return [failureOf(event, stuck, detail, 'stuck')];
}

function judgeStep(job: Job, jobs: readonly Job[], isLate: boolean) {
  // A failed attempt of an ongoing step may still succeed.
  const mayRetry = !isFinal(job) && !isLate;
  const failures = job.details
    .filter(({ status, isRetry }) => status === 'Warning' || (status === 'Failed' && !(isRetry && mayRetry)))
    .map((detail) => {
      const verdict: FailureVerdict = detail.status === 'Warning' ? 'warning' : verdictOfDetail(job, detail);
      return { detail, verdict };
    });
  const verdicts = failures.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'warning');
  const isWarned = failures.length > 0;
  const isStuck = isLate && jobs.every(isKnown);
  return { job, failures, verdict: verdicts.length > 0 ? gravest(verdicts) : withoutFailure(job, isWarned, isStuck) };
}

/** Newer services warn if there is nothing to deliver to. */
function withoutFailure({ status }: Job, isWarned: boolean, isStuck: boolean): Verdict {
  if (status === 'completed' || status === 'merged') return isWarned ? 'warning' : 'delivered';
  if (status === 'failed') return 'failed';
  if (status === 'canceled' && isWarned) return 'undeliverable';
  if (status === 'skipped' || status === 'canceled') return 'skipped-by-design';
  return isStuck ? 'stuck' : 'in-progress';
}

function eventVerdict(event: TriggeredEvent, steps: readonly StepJudgement[], isLate: boolean): Verdict {
  if (steps.length === 0) return event.listsSteps && isLate ? 'stuck' : 'in-progress';
  const isAny = (verdict: Verdict) => steps.some((step) => step.verdict === verdict);
  const deliveries = steps.filter((step) => isDelivery(step.job));
  const isAnyDelivered = deliveries.some(({ verdict }) => isDelivered(verdict));
  if (isAny('failed') && isAnyDelivered) return 'partly-failed';
  const failed = (['partly-failed', 'failed', 'bounced', 'stuck'] as const).find(isAny);
  if (failed !== undefined) return failed;
  if (!isSettled(event)) return 'in-progress';
  const doubtful = (['warning', 'retried-then-fine'] as const).find(isAny);
  if (doubtful !== undefined) return doubtful;
  if (isAnyDelivered || deliveries.length === 0) return 'delivered';
  return isAny('undeliverable') ? 'undeliverable' : 'skipped-by-design';
}

function isDelivered(verdict: Verdict): boolean {
  return verdict === 'delivered' || verdict === 'retried-then-fine' || verdict === 'warning';
}

/** Unless it is waiting for a digest or delay. */
export const STUCK_AFTER_MS = 15 * MINUTE_MS;
const UNSTATED_WAIT_MS = WEEK_MS;

function isOverdue({ createdAt, updatedAt, jobs }: TriggeredEvent, now: Date): boolean {
  const jobTimes = jobs.flatMap((job) => [job.updatedAt, ...job.details.map((detail) => detail.createdAt)]);
  const lastSign = max([createdAt, updatedAt, ...jobTimes].filter((time) => time !== null));
  const waits = jobs.filter(isWaiting).map((job) => goesOnAt(job, lastSign));
  return now.getTime() > max([lastSign, ...waits]).getTime() + STUCK_AFTER_MS;
}

function isWaiting(job: Job, index: number, jobs: readonly Job[]): boolean {
  const { type, status, wait, scheduleExtensions } = job;
  if (isFinal(job) || status === 'delayed') return status === 'delayed';
  const isItsTurn = status !== 'pending' || jobs.slice(0, index).every(isFinal);
  const statesWait = wait !== null && (wait.ms !== null || wait.until !== null || wait.type === 'timed');
  return isItsTurn && (type === 'digest' || type === 'delay') && (scheduleExtensions > 0 || statesWait);
}

/** A wait extended to fit a subscriber's schedule is longer than it says. */
function goesOnAt({ wait, scheduleExtensions }: Job, lastSign: Date): Date {
  const unstated = addMilliseconds(lastSign, UNSTATED_WAIT_MS);
  if (scheduleExtensions > 0 || wait === null) return unstated;
  return wait.until ?? (wait.ms === null ? unstated : addMilliseconds(lastSign, wait.ms));
}

export interface Delivered {
  channel: string;
  provider: string | null;
  at: Date;
}

export function deliveriesOf(event: TriggeredEvent, { steps }: Judgement): Delivered[] {
  return steps.flatMap(({ job, verdict }) => {
    const at = job.updatedAt ?? event.updatedAt ?? event.createdAt;
    if (!isDelivered(verdict) || job.status !== 'completed' || !isDelivery(job) || at === null) return [];
    return [{ channel: job.type, provider: job.provider, at }];
  });
}
