import { ProgressNotToldError } from '../domain/errors.ts';
import type { Logger } from '../domain/logger.ts';
import type { Recipient, ToldTrigger, TriggerProgress } from '../domain/trigger.ts';
import { type FollowParts, followTrigger } from './follow-trigger.ts';
import {
  awaited,
  type EventTrigger,
  type ProgressMessage,
  type TriggerCommand,
  type TriggerIntent,
  type TriggerParts,
  triggerEvents,
} from './trigger-events.ts';

/** Tells somebody how a trigger is getting on, in one message that is edited. */
export interface ProgressReporter {
  open(told: ToldTrigger, progress: TriggerProgress): Promise<ProgressMessage>;
  update(message: ProgressMessage, told: ToldTrigger, progress: TriggerProgress): Promise<void>;
}

export interface RunParts extends Omit<TriggerParts, 'service'>, Omit<FollowParts, 'service'> {
  readonly service: EventTrigger & FollowParts['service'];
  readonly reporter: ProgressReporter;
  readonly logger: Logger;
}

/**
 * Sends a trigger and tells its progress until every event is final or two minutes have passed. Returns `before` for a modal that
 * was submitted already. Throws `ServiceError` when nothing was sent for sure, `ProgressNotToldError` when it was: whoever asked must
 * not take that for a reason to send again.
 */
export async function runTrigger(command: TriggerCommand, parts: RunParts): Promise<'told' | 'before'> {
  const startedAt = parts.now();
  const sent = await triggerEvents(command, parts);
  if (sent.sent === 'before') return 'before';
  const told: ToldTrigger = { ...command, startedAt, isResumed: false };
  const first: TriggerProgress = { ...sent, phase: 'following', trouble: null };
  try {
    const message = await parts.reporter.open(told, first);
    await parts.store.noteProgressMessage(command.intent, message);
    await tell({ intent: command.intent, message, told, ...sent }, parts);
  } catch (error) {
    throw new ProgressNotToldError(
      sent.recipients.map(({ transactionId }) => transactionId),
      error,
    );
  }
  return 'told';
}

/** An intent whose end was not told before the process ended. */
export interface UnfinishedIntent {
  readonly intent: TriggerIntent;
  readonly claimedAt: Date;
  /** Null where not even the first message was posted. */
  readonly message: ProgressMessage | null;
}

/**
 * Takes an intent up again after a restart: by reading only. Whether its request was carried out before the process ended is found
 * out by its transaction ids.
 */
export async function resumeTrigger(unfinished: UnfinishedIntent, parts: RunParts): Promise<void> {
  const { intent } = unfinished;
  const told: ToldTrigger = { ...intent, startedAt: unfinished.claimedAt, isResumed: true };
  const recipients = awaited(intent);
  const first: TriggerProgress = { recipients, isAnswerLost: true, phase: 'following', trouble: null };
  const message = unfinished.message ?? (await parts.reporter.open(told, first));
  await parts.store.noteProgressMessage(intent.id, message);
  await tell({ intent: intent.id, message, told, recipients, isAnswerLost: true }, parts);
}

interface Telling {
  readonly intent: string;
  readonly message: ProgressMessage;
  readonly told: ToldTrigger;
  readonly recipients: readonly Recipient[];
  readonly isAnswerLost: boolean;
}

async function tell(telling: Telling, parts: RunParts): Promise<void> {
  const { message, told, recipients, isAnswerLost } = telling;
  const sent = { recipients, isAnswerLost, sentAt: told.startedAt };
  for await (const progress of followTrigger(sent, parts)) {
    await parts.reporter.update(message, told, progress);
    if (progress.phase !== 'following') await parts.store.closeIntent(telling.intent, parts.now());
  }
}
