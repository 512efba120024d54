import { firstOfEach, groupBy } from '../lib/group-by.ts';
import { atOnce, type Work, withPauses } from '../lib/pauses.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import { isDelivery, isKnown, isSettled, type Job, type TriggeredEvent } from '../service/event.ts';
import { type Attempt, attemptsOf, isDelivered } from './attempts.ts';
import { clarified } from './details.ts';
import { domainOf } from './domains.ts';
import { type Failure, failureOf, stuckFailureOf } from './failure.ts';
import { isRecorded, RECORDED_VERDICTS, type Verdict } from './verdict.ts';
import { isOverdue } from './waits.ts';

export interface StepJudgment {
  job: Job;
  verdict: Verdict;
  attempts: readonly Attempt[];
  /** The last step that failed before it. */
  failedBefore: Job | null;
}

export interface Judgment {
  verdict: Verdict;
  steps: readonly StepJudgment[];
  failures: readonly Failure[];
}

export interface JudgedEvent {
  event: TriggeredEvent;
  judgment: Judgment;
}

export function judgeNow(
  event: TriggeredEvent,
  { service, now }: { service: { clockAheadMs(): number | null }; now: () => Date },
): Promise<Judgment> {
  return withPauses(judging(event, byServiceClock(now(), service.clockAheadMs())));
}

export const judge = (event: TriggeredEvent, now: Date): Judgment => atOnce(judging(event, now));

export function* judging(event: TriggeredEvent, now: Date): Work<Judgment> {
  const isLate = isOverdue(event, now);
  const mayBeStuck = isLate && event.jobs.every(isKnown);
  const steps: StepJudgment[] = [];
  let failedBefore: Job | null = null;
  for (const said of event.jobs) {
    const job = yield* clarified(said, event);
    const attempts: Attempt[] = yield* attemptsOf(job, isLate);
    steps.push({ job, attempts, failedBefore, verdict: stepVerdict(attempts, mayBeStuck) });
    if (job.status === 'failed') failedBefore = job;
  }
  const verdict = eventVerdict(event, steps, isLate);
  const failures: Failure[] = [];
  for (const step of steps) {
    for (const failure of yield* failuresOf(event, step, verdict)) failures.push(failure);
  }
  const stuck = steps.find((step) => step.verdict === 'stuck') ?? null;
  const isNotBegun = verdict === 'stuck' && steps.length === 0;
  if (stuck !== null || isNotBegun) failures.push(stuckFailureOf(event, stuck));
  return { verdict, steps, failures };
}

/** Of several attempts of a step, the worst is the step's; skipped only if no provider delivered it. */
const STEP_VERDICTS: readonly Verdict[] = [
  ...RECORDED_VERDICTS.filter((verdict) => verdict !== 'skipped-by-design'),
  'in-progress',
  'delivered',
  'skipped-by-design',
];

function stepVerdict(attempts: readonly Attempt[], mayBeStuck: boolean): Verdict {
  const verdict = STEP_VERDICTS.find((worst) => attempts.some((attempt) => attempt.verdict === worst)) ?? 'in-progress';
  return verdict === 'in-progress' && mayBeStuck ? 'stuck' : verdict;
}

/** A step's failures, one of each provider: those of two integrations of one provider count as one. */
function* failuresOf(
  event: TriggeredEvent,
  { job, attempts }: StepJudgment,
  verdict: Verdict,
): Work<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const attempt of attempts) {
    yield;
    if (!isRecorded(attempt.verdict) || (attempt.decisive === null && attempt.verdict !== 'failed')) continue;
    const isPart = attempt.verdict === 'failed' && verdict === 'partly-failed';
    failures.push(failureOf(event, job, attempt, isPart ? verdict : attempt.verdict));
  }
  const worstFirst = RECORDED_VERDICTS.flatMap((worst) => failures.filter((failure) => failure.verdict === worst));
  return firstOfEach(worstFirst, ({ provider }) => provider);
}

/** What fails or is stuck counts at once; how well it went, only once all steps ended. */
function eventVerdict(event: TriggeredEvent, steps: readonly StepJudgment[], isLate: boolean): Verdict {
  if (steps.length === 0) return event.listsSteps && isLate ? 'stuck' : 'in-progress';
  const isAny = (verdict: Verdict) => steps.some((step) => step.verdict === verdict);
  const deliveries = steps.filter((step) => isDelivery(step.job));
  const isAnyDelivered = deliveries.some(isDelivered);
  if (isAny('failed') && isAnyDelivered) return 'partly-failed';
  const failed = (['partly-failed', 'failed', 'bounced', 'complained', 'stuck'] as const).find(isAny);
  if (failed !== undefined) return failed;
  if (!isSettled(event)) return 'in-progress';
  const doubtful = (['warning', 'unsubscribed', 'retried-then-fine'] as const).find(isAny);
  if (doubtful !== undefined) return doubtful;
  if (isAnyDelivered || deliveries.length === 0) return 'delivered';
  return (['undeliverable', 'not-sent'] as const).find(isAny) ?? 'skipped-by-design';
}

export function decisiveFailure({ verdict, failures }: Pick<Judgment, 'verdict' | 'failures'>): Failure | undefined {
  return failures.find((failure) => failure.verdict === verdict);
}

export type StepFailures = ReadonlyMap<string, readonly Failure[]>;

/** Keys are bounded IDs of steps. */
export const failuresByStep = ({ failures }: Judgment): StepFailures => groupBy(failures, ({ jobId }) => jobId);

/** An attempt that reached its provider. */
export interface Delivered {
  channel: string;
  provider: string | null;
  domain: string | null;
  at: Date;
}

export function deliveriesOf(event: TriggeredEvent, { steps }: Judgment): Delivered[] {
  return steps.flatMap(({ job, attempts }) => {
    const at = job.updatedAt ?? event.updatedAt ?? event.createdAt;
    if (at === null || !isDelivery(job) || job.status === 'merged') return [];
    return attempts.filter(isDelivered).map(({ provider }) => {
      return { channel: job.type, provider, domain: domainOf(event, job.type, provider), at };
    });
  });
}
