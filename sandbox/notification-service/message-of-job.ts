import type { Channel, Job, Message, TriggeredEvent } from './entities.ts';
import { providerOf } from './provider-failures.ts';
import { objectId, type Random } from './random.ts';

/** Returns the messages that an event's jobs have produced: one for each channel step that was sent or refused. */
export function messagesOf(event: TriggeredEvent, random: Random): Message[] {
  const produced = event.jobs.filter(
    (job) => isChannel(job.type) && (job.status === 'completed' || job.status === 'failed'),
  );
  return produced.map((job) => messageOfJob(event, job, random, Date.parse(event.createdAt)));
}

/** Returns the message of one channel step at the moment (ms) it was sent or refused. */
export function messageOfJob(event: TriggeredEvent, job: Job, random: Random, at: number): Message {
  return {
    _id: objectId(random, at),
    _notificationId: event._id,
    _messageTemplateId: job.step._templateId,
    subscriberId: event.subscriber?.subscriberId ?? '',
    workflow: event.template?.triggers[0]?.identifier ?? null,
    transactionId: event.transactionId,
    createdAt: new Date(at).toISOString(),
    channel: job.type,
    ...(job.providerId && { providerId: job.providerId }),
    ...outcomeOf(job),
    ...(job.type === 'email' && { subject: event.template?.name ?? 'A notification' }),
    ...(job.type === 'push' && { title: event.template?.name ?? 'A notification' }),
    content: `Sent by the sandbox: ${event.template?.name ?? 'a deleted workflow'}`,
    payload: job.payload,
    overrides: job.overrides,
    contextKeys: event.contextKeys,
  };
}

function outcomeOf(job: Job): Pick<Message, 'status' | 'errorId' | 'errorText'> {
  if (job.status !== 'failed') return { status: hasWarning(job) ? 'warning' : 'sent' };
  const failure = job.executionDetails.findLast(({ status }) => status === 'Failed');
  return {
    status: 'error',
    errorId: 'unexpected_provider_error',
    errorText: failure?.raw ?? failure?.detail ?? 'Unknown error',
  };
}

function hasWarning({ executionDetails }: Job): boolean {
  return executionDetails.some(({ status }) => status === 'Warning');
}

export function isChannel(type: string): type is Channel {
  return Object.hasOwn(providerOf, type);
}
