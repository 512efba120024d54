import type { ExecutionDetail, Job } from '../service/event.ts';

/** Failures that open an incident and notify (field notes, "What a failure is"). */
export const ANNOUNCED_VERDICTS = ['failed', 'partly-failed', 'bounced', 'stuck'] as const;
export const COUNTED_VERDICTS = ['undeliverable', 'skipped-by-design', 'retried-then-fine', 'warning'] as const;
export const WATCHED_VERDICTS = [...ANNOUNCED_VERDICTS, 'warning'] as const;

export type AnnouncedVerdict = (typeof ANNOUNCED_VERDICTS)[number];
export type CountedVerdict = (typeof COUNTED_VERDICTS)[number];
export type FailureVerdict = AnnouncedVerdict | CountedVerdict;
export type Verdict = FailureVerdict | 'delivered' | 'in-progress';

export function isAnnounced(verdict: FailureVerdict): verdict is AnnouncedVerdict {
  return ANNOUNCED_VERDICTS.some((announced) => announced === verdict);
}

export const VERDICT_WORDS: { readonly [V in Verdict]: string } = {
  delivered: 'delivered',
  failed: 'failed',
  'partly-failed': 'partly failed',
  bounced: 'bounced',
  undeliverable: 'undeliverable',
  'skipped-by-design': 'skipped by design',
  'retried-then-fine': 'succeeded on retry',
  'in-progress': 'in progress',
  stuck: 'stuck',
  warning: 'warning',
};

/** Channels that send to each of a subscriber's devices or webhooks, of each of their providers, in one step. */
const SENDS_TO_SEVERAL = new Set(['push', 'chat']);

/** Returns the verdict of a step's Failed detail by the table in the field notes, "What a failure is". */
export function verdictOfDetail(job: Job, failed: ExecutionDetail): FailureVerdict {
  if (isSkippedByDesign(failed) || job.status === 'skipped') return 'skipped-by-design';
  if (job.status === 'canceled') return isProviderOrSetup(failed) ? 'failed' : 'undeliverable';
  if (job.status !== 'completed') return 'failed';
  if (failed.source === 'Webhook') return 'bounced';
  const successes = job.details.filter(({ status }) => status === 'Success');
  if (failed.isRetry || successes.some((success) => isRetryOf(failed, success, job))) return 'retried-then-fine';
  return successes.some((success) => isOfAnother(failed, success, job)) ? 'partly-failed' : 'failed';
}

/** A later success of the same provider. Where one step sends to several, it may be another device's unless it's marked. */
function isRetryOf(failed: ExecutionDetail, success: ExecutionDetail, job: Job): boolean {
  const mayBeOfAnother = SENDS_TO_SEVERAL.has(job.type) && !success.isRetry;
  return isLater(success, failed) && !haveTwoProviders(failed, success, job) && !mayBeOfAnother;
}

/** Returns whether a success came after a failure. Where their times don't say, one that is marked as a retry did. */
function isLater(success: ExecutionDetail, failed: ExecutionDetail): boolean {
  const [succeededAt, failedAt] = [success.createdAt?.getTime(), failed.createdAt?.getTime()];
  if (succeededAt === undefined || failedAt === undefined || succeededAt === failedAt) return success.isRetry;
  return succeededAt > failedAt;
}

/** Returns whether another provider or device got the message. All details of a step can name one provider, so its sentence counts too. */
function isOfAnother(failed: ExecutionDetail, success: ExecutionDetail, job: Job): boolean {
  return haveTwoProviders(failed, success, job) || (SENDS_TO_SEVERAL.has(job.type) && isMessageSent(success));
}

function haveTwoProviders(one: ExecutionDetail, other: ExecutionDetail, job: Job): boolean {
  const [first, second] = [one.provider ?? job.provider, other.provider ?? job.provider];
  return first !== null && second !== null && first !== second;
}

type Sentence = Pick<ExecutionDetail, 'detail'>;

/** Sentences are compared whole, without case and full stop. Those of steps skipped by design have the status Failed. */
const SKIPPED_BY_CONDITION = new Set([
  'step was skipped based on steps conditions',
  'step was skipped based on step conditions',
  'step was filtered based on steps filters',
  'bridge execution skipped',
]);

/** Also written about canceled push and chat steps, of which one provider has no address even if another one was tried and refused. */
const NOT_THE_RECIPIENT = new Set(['unexpected provider error', 'subscriber does not have an active integration']);

function isSkippedByDesign(detail: Sentence): boolean {
  return SKIPPED_BY_CONDITION.has(sentenceOf(detail)) || isStoppedByFailure(detail);
}

export function isStoppedByFailure(detail: Sentence): boolean {
  return /^step was cancell?ed because a previous step failed$/.test(sentenceOf(detail));
}

/** Returns whether a detail of a canceled step says that a provider or the setup failed, not that there is nothing to deliver to. */
function isProviderOrSetup(detail: Sentence): boolean {
  return NOT_THE_RECIPIENT.has(sentenceOf(detail));
}

/** Returns whether a Success detail says that the message was sent, unlike those of its preparation: 'Message sent: apns'. */
function isMessageSent(detail: Sentence): boolean {
  return /^message sent\b/.test(sentenceOf(detail));
}

function sentenceOf({ detail }: Sentence): string {
  return String(detail).trim().toLowerCase().replace(/\.$/, '');
}
