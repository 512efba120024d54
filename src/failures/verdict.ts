import type { ExecutionDetail, Job } from '../service/event.ts';

export const ANNOUNCED_VERDICTS = ['failed', 'partly-failed', 'bounced', 'stuck'] as const;
export const COUNTED_VERDICTS = ['undeliverable', 'skipped-by-design', 'retried-then-fine', 'warning'] as const;
export const WATCHED_VERDICTS = [...ANNOUNCED_VERDICTS, 'warning'] as const;

/** The gravest first. */
export const FAILURE_VERDICTS = [
  'failed',
  'bounced',
  'partly-failed',
  'stuck',
  'undeliverable',
  'warning',
  'retried-then-fine',
  'skipped-by-design',
] as const;

export type CountedVerdict = (typeof COUNTED_VERDICTS)[number];
export type FailureVerdict = (typeof FAILURE_VERDICTS)[number];
export type Verdict = FailureVerdict | 'delivered' | 'in-progress';

/** No failure after all: a step may be judged as failed before its service says so. */
export function isHarmless(verdict: FailureVerdict): boolean {
  return !WATCHED_VERDICTS.some((watched) => watched === verdict);
}

export function isAnnounced(verdict: FailureVerdict): verdict is (typeof ANNOUNCED_VERDICTS)[number] {
  return ANNOUNCED_VERDICTS.some((announced) => announced === verdict);
}

export const VERDICT_WORDS: { [V in Verdict]: string } = {
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

export const VERDICT_REASONS: { [V in Verdict]: string } = {
  delivered: 'all steps finished',
  failed: 'a step failed, and the service gives no details',
  'partly-failed': 'one channel, provider or device failed, another delivered',
  bounced: 'the provider reported a failure after delivery',
  undeliverable: 'there is nothing to deliver to',
  'skipped-by-design': 'a condition or an earlier step decided not to send it',
  'retried-then-fine': 'a try failed, a later one went through',
  'in-progress': 'not all steps have finished',
  stuck: "a step hasn't finished long after it should have",
  warning: 'the service warned of a problem with its delivery',
};

const SENDS_TO_SEVERAL = new Set(['push', 'chat']);

export function verdictOfDetail(job: Job, failed: ExecutionDetail): FailureVerdict {
  const sentence = sentenceOf(failed);
  if (SKIPPED.has(sentence) || job.status === 'skipped') return 'skipped-by-design';
  if (job.status === 'canceled') return NOT_THE_RECIPIENT.has(sentence) ? 'failed' : 'undeliverable';
  if (job.status !== 'completed') return 'failed';
  if (failed.source === 'Webhook') return 'bounced';
  const successes = job.details.filter(({ status }) => status === 'Success');
  if (failed.isRetry || successes.some((success) => isRetryOf(failed, success, job))) return 'retried-then-fine';
  return successes.some((success) => isOfAnother(failed, success, job)) ? 'partly-failed' : 'failed';
}

/** Where one step sends to several, an unmarked success may be another device's. */
function isRetryOf(failed: ExecutionDetail, success: ExecutionDetail, job: Job): boolean {
  const mayBeOfAnother = SENDS_TO_SEVERAL.has(job.type) && !success.isRetry;
  return isLater(success, failed) && !haveTwoProviders(failed, success, job) && !mayBeOfAnother;
}

function isLater(success: ExecutionDetail, failed: ExecutionDetail): boolean {
  const [succeededAt, failedAt] = [success.createdAt?.getTime(), failed.createdAt?.getTime()];
  if (succeededAt === undefined || failedAt === undefined || succeededAt === failedAt) return success.isRetry;
  return succeededAt > failedAt;
}

/** All details can name one provider, so the sentence tells: 'Message sent: apns'. */
function isOfAnother(failed: ExecutionDetail, success: ExecutionDetail, job: Job): boolean {
  const isSent = SENDS_TO_SEVERAL.has(job.type) && /^message sent\b/.test(sentenceOf(success));
  return haveTwoProviders(failed, success, job) || isSent;
}

function haveTwoProviders(failed: ExecutionDetail, success: ExecutionDetail, job: Job): boolean {
  const [first, second] = [failed.provider ?? job.provider, success.provider ?? job.provider];
  return first !== null && second !== null && first !== second;
}

const SKIPPED = new Set([
  'step was skipped based on steps conditions',
  'step was skipped based on step conditions',
  'step was filtered based on steps filters',
  'bridge execution skipped',
  'step was canceled because a previous step failed',
  'step was cancelled because a previous step failed',
]);
/** Also of canceled push and chat steps, of which another provider refused. */
const NOT_THE_RECIPIENT = new Set(['unexpected provider error', 'subscriber does not have an active integration']);

function sentenceOf({ detail }: ExecutionDetail): string {
  return String(detail).trim().toLowerCase().replace(/\.$/, '');
}
