import { selectedProvider } from './details.ts';
import { type ExecutionDetail, isChannel, type Job, type Message, type TriggeredEvent } from './entities.ts';
import { wording } from './provider-failures.ts';
import { objectId, type Random } from './random.ts';

type MessageOutcome = Pick<Message, 'status' | 'errorId' | 'errorText'>;

/** Returns a message for each attempt. A detail that selects a provider begins one; a step without such details is one attempt. */
export function messagesOf(event: TriggeredEvent, random: Random): Message[] {
  const produced = event.jobs.filter(({ type, status }) => isChannel(type) && /^(completed|failed)$/.test(status));
  return produced.flatMap((job) => {
    const starts = job.executionDetails.flatMap((detail, index) => (selectedProvider(detail) ? [index] : []));
    return (starts.length > 0 ? starts : [0]).map((from, nth) => {
      const details = job.executionDetails.slice(from, starts[nth + 1]);
      const provider = selectedProvider(details[0]) ?? job.providerId;
      const message = messageOfJob(event, job, provider, { random, at: Date.parse(event.createdAt) });
      return { ...message, ...outcomeOf(job, details) };
    });
  });
}

/** A message as it is created, before the provider is called. */
export function messageOfJob(
  event: TriggeredEvent,
  job: Job,
  providerId: string | null | undefined,
  { random, at }: { random: Random; at: number },
): Message {
  const name = event.template?.name;
  return {
    _id: objectId(random, at),
    _notificationId: event._id,
    _messageTemplateId: job.step._templateId,
    subscriberId: event.subscriber?.subscriberId ?? '',
    workflow: event.template?.triggers[0]?.identifier ?? null,
    transactionId: event.transactionId,
    createdAt: new Date(at).toISOString(),
    channel: job.type,
    ...(providerId && { providerId }),
    status: 'sent',
    ...(job.type === 'email' && { subject: name ?? 'A notification' }),
    ...(job.type === 'push' && { title: name ?? 'A notification' }),
    content: `Sent by the sandbox: ${name ?? 'a deleted workflow'}`,
    payload: job.payload,
    overrides: job.overrides,
    contextKeys: event.contextKeys,
  };
}

function outcomeOf({ type, status }: Job, details: readonly ExecutionDetail[]): MessageOutcome {
  const failure = details.find((detail) => detail.status === 'Failed' && !detail.isRetry);
  const isSent = status !== 'failed' && details.some(({ detail }) => detail === wording.messageSent);
  if (status === 'failed' || (failure && !isSent)) return errorOf(type, failure ?? { detail: 'Unknown error' });
  return { status: details.some((detail) => detail.status === 'Warning') ? 'warning' : 'sent' };
}

export function errorOf(type: string, { raw, detail }: Pick<ExecutionDetail, 'raw' | 'detail'>): MessageOutcome {
  const errorId = type === 'email' ? 'mail_unexpected_error' : `unexpected_${type}_error`;
  return { status: 'error', errorId, errorText: raw ?? detail };
}
