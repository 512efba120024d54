import type { ExecutionDetail, Job } from '../service/event.ts';
import { isMessageSent, isProviderOrSetup, isSkippedByDesign } from './step-sentences.ts';
import type { FailureVerdict } from './verdict.ts';

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
