import type { Attempt } from '../judging/attempts.ts';
import { causeOf } from '../judging/cause.ts';
import type { Judgment } from '../judging/judge.ts';
import type { Work } from '../lib/pauses.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { failedDetail, isChannelType, type Job, type TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/lists.ts';
import type { ExplainCause } from './explain-cause.ts';

export interface FailedAttempt extends Attempt {
  job: Job;
}

/** A page of messages has as many. */
const MOST_EXAMINED = 100;

/** Some providers' reasons are only in the message (docs/service.md). Returns attempts that nothing else explains. */
export function* attemptsWithoutReason(
  { steps }: Pick<Judgment, 'steps'>,
  explain: ExplainCause,
): Work<FailedAttempt[]> {
  const found: FailedAttempt[] = [];
  let examined = 0;
  for (const { job, attempts } of steps) {
    if (!isChannelType(job.type)) continue;
    for (const attempt of attempts) {
      yield;
      const { provider, verdict, decisive } = attempt;
      if (verdict !== 'failed' && verdict !== 'partly-failed') continue;
      if (examined === MOST_EXAMINED) return found;
      examined += 1;
      if (decisive === null || explain({ provider, channel: job.type, cause: causeOf(decisive) }).entry === null)
        found.push({ ...attempt, job });
    }
  }
  return found;
}

type FailedMessage = Pick<Message, 'eventId' | 'jobId' | 'channel' | 'provider' | 'status' | 'errorText' | 'createdAt'>;

/** What a message says of a failure becomes one more detail of its step. */
export function withMessageReasons(
  event: TriggeredEvent,
  attempts: readonly FailedAttempt[],
  messages: readonly FailedMessage[],
): TriggeredEvent {
  const jobs = event.jobs.map((job) => {
    const details = [...job.details];
    for (const attempt of attempts.filter((failed) => failed.job.id === job.id)) {
      const message = messages.findLast((known) => isMessageOf(known, attempt, event));
      if (message === undefined || message.errorText === null) continue;
      const { provider, decisive } = attempt;
      const createdAt = decisive === null ? (job.updatedAt ?? message.createdAt) : decisive.createdAt;
      const { isTest = false, isRetry = false } = decisive ?? {};
      const said = { source: 'message', raw: message.errorText, isTest, isRetry };
      const known = { id: `${job.id} message`, provider, createdAt, ...said };
      const after = details.findIndex(({ id }) => id === decisive?.id);
      details.splice(after === -1 ? details.length : after + 1, 0, failedDetail(UNSAID, known));
    }
    return { ...job, details };
  });
  return { ...event, jobs };
}

const UNSAID = new FreeText('Unexpected provider error');

function isMessageOf(message: FailedMessage, { job, provider }: FailedAttempt, event: TriggeredEvent) {
  if (message.status !== 'error' || message.errorText === null || message.eventId !== event.id) return false;
  if ((message.jobId ?? job.id) !== job.id || message.channel !== job.type) return false;
  return provider === null || message.provider === null || message.provider === provider;
}
