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
  trailOutcome,
  triggerEvents,
} from './trigger-events.ts';

/** Reports a trigger's progress in one message that is edited. */
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
 * Sends a trigger and reports its progress until every event is final or two minutes have passed. Returns `before` for a modal already
 * submitted. Throws `ServiceError` if nothing was sent for sure, and `ProgressNotPostedError` if it was sent, so that the person who asked
 * doesn't send again.
 */
export async function runTrigger(command: TriggerCommand, parts: RunParts): Promise<'reported' | 'before'> {
  const startedAt = parts.now();
  const sent = await triggerEvents(command, parts);
  if (sent.sent === 'before') return 'before';
  const { intent, environment, actor, workflow } = command;
  const run: TriggerRun = { intent, environment, actor, workflow, startedAt, isResumed: false };
  const first: TriggerProgress = { ...sent, phase: 'following', trouble: null };
  try {
    const message = await parts.reporter.open(run, first);
    await parts.store.noteProgressMessage(intent, message);
    await report({ message, run, ...sent }, parts);
  } catch (error) {
    throw new ProgressNotPostedError(
      sent.recipients.map(({ transactionId }) => transactionId),
      error,
    );
  }
  return 'reported';
}

/** A stored trigger. */
export interface KeptTrigger {
  readonly intent: TriggerIntent;
  readonly claimedAt: Date;
  /** Null if the answer was lost, including by the process ending. */
  readonly results: readonly TriggerResult[] | null;
}

/** An intent whose outcome was not reported before the process ended. */
export interface UnfinishedIntent extends KeptTrigger {
  /** Null if not even the first message was posted. */
  readonly message: ProgressMessage | null;
}

/**
 * Resumes an intent after a restart, by reading only. Unless its results are stored, its transaction IDs show whether its request was
 * carried out.
 */
export async function resumeTrigger(unfinished: UnfinishedIntent, parts: RunParts): Promise<void> {
  const { intent, claimedAt, results } = unfinished;
  const { environment, actor, workflow } = intent;
  const run: TriggerRun = { intent: intent.id, environment, actor, workflow, startedAt: claimedAt, isResumed: true };
  const sent = { recipients: recipientsOf(intent, results), isAnswerLost: results === null };
  const message =
    unfinished.message ?? (await parts.reporter.open(run, { ...sent, phase: 'following', trouble: null }));
  await parts.store.noteProgressMessage(intent.id, message);
  await report({ message, run, ...sent }, parts);
}

interface Reporting {
  readonly message: ProgressMessage;
  readonly run: TriggerRun;
  readonly recipients: readonly Recipient[];
  readonly isAnswerLost: boolean;
}

async function report({ message, run, recipients, isAnswerLost }: Reporting, parts: RunParts): Promise<void> {
  const sent = { recipients, isAnswerLost, sentAt: run.startedAt };
  for await (const progress of followTrigger(sent, parts)) {
    await parts.reporter.update(message, run, progress);
    if (progress.phase !== 'following') await close(run.intent, progress, parts);
  }
}

/** Settles, by what was read, what the answer left open; a trail entry that is settled stays as it is. */
async function close(intent: string, progress: TriggerProgress, { store, now }: RunParts) {
  await store.settleChange(intent, trailOutcome(progress));
  await store.closeIntent(intent, now());
}
