import { addMilliseconds, max, min } from 'date-fns';
import { groupBy } from '../lib/group-by.ts';
import { atOnce, type Work, withPauses } from '../lib/pauses.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { boundedId, maybeBoundedId, type Plain, type Storable } from '../lib/text/shown-id.ts';
import { HOUR_MS, MINUTE_MS, WEEK_MS } from '../lib/time/durations.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import {
  type ExecutionDetail,
  eventKey,
  isDelivery,
  isFinal,
  isKnown,
  isSettled,
  type Job,
  type TriggeredEvent,
} from '../service/event.ts';
import { type Attempt, attemptsOf, isDelivered } from './attempts.ts';
import { type Cause, causeOf } from './cause.ts';
import { clarified } from './details.ts';
import { domainOf } from './domains.ts';
import {
  type CountedVerdict,
  isAnnounced,
  isRecorded,
  ON_REQUEST_VERDICTS,
  RECORDED_VERDICTS,
  type RecordedVerdict,
  type Verdict,
} from './verdict.ts';

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
  isUnexplained: boolean;
  isTest: boolean;
  severity: Storable | null;
  critical: boolean;
  topics: readonly string[];
  contexts: readonly string[];
  tags: readonly string[];
  /** `domains.ts` */
  domain: string | null;
  occurredAt: Date | null;
  eventCreatedAt: Date | null;
}

export type Failure = Plain<JudgedFailure>;

type FailedStep = Pick<Job, 'id' | 'type' | 'updatedAt'>;
type FailedAttempt = Pick<Attempt, 'provider'> & {
  decisive: Pick<ExecutionDetail, 'detail' | 'raw' | 'isTest' | 'createdAt'> | null;
};

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

function stuckFailureOf(event: TriggeredEvent, stuck: StepJudgment | null) {
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

export type VerdictClass = 'announced' | CountedVerdict;

/** Incidents of these begin, end and come back; others are only counted. */
export const CLASSES_WITH_OUTBREAKS: readonly VerdictClass[] = ['announced', ...ON_REQUEST_VERDICTS];

export const verdictClassOf = (verdict: RecordedVerdict): VerdictClass =>
  isAnnounced(verdict) ? 'announced' : verdict;

export type VerdictCounts = { [V in RecordedVerdict]?: number };

export function mostSevere(verdicts: readonly RecordedVerdict[]): RecordedVerdict {
  return RECORDED_VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'failed';
}

export const SEVERITIES: readonly string[] = ['high', 'medium', 'low', 'none'];

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

export function decisiveFailure({ verdict, failures }: Pick<Judgment, 'verdict' | 'failures'>): Failure | undefined {
  return failures.find((failure) => failure.verdict === verdict);
}

export type StepFailures = ReadonlyMap<string, readonly Failure[]>;

/** Keys are bounded IDs of steps. */
export const failuresByStep = ({ failures }: Judgment): StepFailures => groupBy(failures, ({ jobId }) => jobId);

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
  for (const step of steps) for (const failure of yield* failuresOf(event, step, verdict)) failures.push(failure);
  const stuck = steps.find((step) => step.verdict === 'stuck') ?? null;
  const isNotBegun = verdict === 'stuck' && steps.length === 0;
  if (stuck !== null || isNotBegun) failures.push(stuckFailureOf(event, stuck));
  return { verdict, steps, failures };
}

function stepVerdict(attempts: readonly Attempt[], mayBeStuck: boolean): Verdict {
  const verdict = STEP_VERDICTS.find((worst) => attempts.some((attempt) => attempt.verdict === worst)) ?? 'in-progress';
  return verdict === 'in-progress' && mayBeStuck ? 'stuck' : verdict;
}

/** The worst comes first, but skipped only if no provider delivered it. */
const STEP_VERDICTS: readonly Verdict[] = [
  ...RECORDED_VERDICTS.filter((verdict) => verdict !== 'skipped-by-design'),
  'in-progress',
  'delivered',
  'skipped-by-design',
];

function* failuresOf(event: TriggeredEvent, { job, attempts }: StepJudgment, verdict: Verdict): Work<Failure[]> {
  const failures: Failure[] = [];
  for (const attempt of attempts) {
    yield;
    if (!isRecorded(attempt.verdict) || (attempt.decisive === null && attempt.verdict !== 'failed')) continue;
    const isPart = attempt.verdict === 'failed' && verdict === 'partly-failed';
    failures.push(failureOf(event, job, attempt, isPart ? verdict : attempt.verdict));
  }
  const worstFirst = RECORDED_VERDICTS.flatMap((worst) => failures.filter((failure) => failure.verdict === worst));
  // Failures of two integrations of a provider count as one.
  const worst = new Map<string | null, Failure>();
  for (const failure of worstFirst) worst.set(failure.provider, worst.get(failure.provider) ?? failure);
  return [...worst.values()];
}

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

/** When the last of the event's waits is over; null: none of its steps waits. */
export function waitsUntil(event: TriggeredEvent): Date | null {
  const lastSign = lastSignOf(event);
  const next = event.jobs.find((job) => !isFinal(job));
  const waiting = event.jobs.filter((job) => isWaiting(job, job === next));
  return lastSign === null || waiting.length === 0 ? null : max(waiting.map((job) => continuesAt(job, lastSign)));
}

export const STUCK_AFTER_MS = 15 * MINUTE_MS;
const UNSTATED_WAIT_MS = WEEK_MS;
/** A subscriber's schedule can postpone a step for a weekend. */
const MOST_EXTENDED_MS = 64 * HOUR_MS;

function isOverdue(event: TriggeredEvent, now: Date) {
  const lastSign = lastSignOf(event);
  if (lastSign === null) return false;
  const next = event.jobs.find((job) => !isFinal(job));
  const waiting = event.jobs.filter((job) => isWaiting(job, job === next));
  const extended = waiting.filter(({ scheduleExtensions }) => scheduleExtensions > 0);
  const waits = waiting.map((job) => continuesAt(job, lastSign));
  const isLongPast = (at: Date) => now.getTime() > at.getTime() + STUCK_AFTER_MS;
  return extended.some((job) => isLongPast(extendedTo(event, job))) || isLongPast(max([lastSign, ...waits]));
}

export function lastSignOf({
  createdAt,
  updatedAt,
  jobs,
}: Pick<TriggeredEvent, 'createdAt' | 'updatedAt' | 'jobs'>): Date | null {
  const jobTimes = jobs.flatMap((job) => [job.updatedAt, ...job.details.map((detail) => detail.createdAt)]);
  const times = [createdAt, updatedAt, ...jobTimes].filter((time) => time !== null);
  return times.length === 0 ? null : max(times);
}

function isWaiting(job: Job, isNext: boolean) {
  const { type, status, wait, scheduleExtensions } = job;
  if (isFinal(job) || status === 'delayed') return status === 'delayed';
  const isItsTurn = status !== 'pending' || isNext;
  const statesWait = wait !== null && (wait.ms !== null || wait.until !== null || wait.type === 'timed');
  return isItsTurn && ['digest', 'delay', 'wait'].includes(type) && (scheduleExtensions > 0 || statesWait);
}

/** Each extension counts as a sign of life, so the wait is measured from its beginning. */
function extendedTo(event: TriggeredEvent, { details, wait, updatedAt }: Job) {
  const times = details.map(({ createdAt }) => createdAt);
  const beganAt = min([...times, event.createdAt, updatedAt].filter((time) => time !== null));
  return addMilliseconds(wait?.until ?? addMilliseconds(beganAt, wait?.ms ?? 0), MOST_EXTENDED_MS);
}

function continuesAt({ wait, scheduleExtensions }: Job, lastSign: Date) {
  const unstated = addMilliseconds(lastSign, UNSTATED_WAIT_MS);
  if (scheduleExtensions > 0 || wait === null) return unstated;
  return wait.until ?? (wait.ms === null ? unstated : addMilliseconds(lastSign, wait.ms));
}

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
