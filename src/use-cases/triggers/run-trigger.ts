import { ProgressNotPostedError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import type { TriggerResult } from '../../domain/service/query.ts';
import type { Recipient, TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import { type FollowParts, followTrigger } from './follow-trigger.ts';
import {
  type EventTrigger,
  type ProgressMessage,
  recipientsOf,
  type TriggerCommand,
  type TriggerIntent,
  type TriggerParts,
  triggerEvents,
} from './trigger-events.ts';

/** Tells somebody how a trigger is getting on, in one message that is edited. */
export interface ProgressReporter {
  open(run: TriggerRun, progress: TriggerProgress): Promise<ProgressMessage>;
  update(message: ProgressMessage, run: TriggerRun, progress: TriggerProgress): Promise<void>;
}

export interface RunParts extends Omit<TriggerParts, 'service'>, Omit<FollowParts, 'service'> {
  readonly service: EventTrigger & FollowParts['service'];
  readonly reporter: ProgressReporter;
  readonly logger: Logger;
}

/**
 * Sends a trigger and tells its progress until every event is final or two minutes have passed. Returns `before` for a modal that
 * was submitted already. Throws `ServiceError` when nothing was sent for sure, `ProgressNotPostedError` when it was: the person who asked must
 * not take that for a reason to send again.
 */
export async function runTrigger(command: TriggerCommand, parts: RunParts): Promise<'told' | 'before'> {
  const startedAt = parts.now();
  const sent = await triggerEvents(command, parts);
  if (sent.sent === 'before') return 'before';
  const { intent, environment, actor, workflow } = command;
  const run: TriggerRun = { intent, environment, actor, workflow, startedAt, isResumed: false };
  const first: TriggerProgress = { ...sent, phase: 'following', trouble: null };
  try {
    const message = await parts.reporter.open(run, first);
    await parts.store.noteProgressMessage(intent, message);
    await tell({ message, run, ...sent }, parts);
  } catch (error) {
    throw new ProgressNotPostedError(
      sent.recipients.map(({ transactionId }) => transactionId),
      error,
    );
  }
  return 'told';
}

/** A trigger as it is kept. */
export interface KeptTrigger {
  readonly intent: TriggerIntent;
  readonly claimedAt: Date;
  /** Null where the answer was lost, also by the end of the process. */
  readonly results: readonly TriggerResult[] | null;
}

/** An intent whose end was not reported before the process ended. */
export interface UnfinishedIntent extends KeptTrigger {
  /** Null where not even the first message was posted. */
  readonly message: ProgressMessage | null;
}

/**
 * Takes an intent up again after a restart: by reading only. Whether its request was carried out before the process ended is found
 * out by its transaction ids, unless its results are there.
 */
export async function resumeTrigger(unfinished: UnfinishedIntent, parts: RunParts): Promise<void> {
  const { intent, claimedAt, results } = unfinished;
  const { environment, actor, workflow } = intent;
  const run: TriggerRun = { intent: intent.id, environment, actor, workflow, startedAt: claimedAt, isResumed: true };
  const sent = { recipients: recipientsOf(intent, results), isAnswerLost: results === null };
  const message =
    unfinished.message ?? (await parts.reporter.open(run, { ...sent, phase: 'following', trouble: null }));
  await parts.store.noteProgressMessage(intent.id, message);
  await tell({ message, run, ...sent }, parts);
}

interface Reporting {
  readonly message: ProgressMessage;
  readonly run: TriggerRun;
  readonly recipients: readonly Recipient[];
  readonly isAnswerLost: boolean;
}

async function tell({ message, run, recipients, isAnswerLost }: Reporting, parts: RunParts): Promise<void> {
  const sent = { recipients, isAnswerLost, sentAt: run.startedAt };
  for await (const progress of followTrigger(sent, parts)) {
    await parts.reporter.update(message, run, progress);
    if (progress.phase !== 'following') await close(run.intent, progress, parts);
  }
}

/** What was found out by reading settles what a lost answer left open. */
async function close(intent: string, { recipients, isAnswerLost }: TriggerProgress, { store, now }: RunParts) {
  if (isAnswerLost) {
    const isSent = recipients.every(({ state }) => state.is === 'seen');
    await store.settleChange(
      intent,
      isSent ? { is: 'sent', accepted: recipients.length, refused: 0 } : { is: 'unknown' },
    );
  }
  await store.closeIntent(intent, now());
}
