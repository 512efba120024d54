import type { Logger } from '../../domain/logger.ts';
import type { TriggerResult } from '../../domain/service/query.ts';
import type { Recipient, TriggerAnswer, TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import { type FollowParts, followTrigger } from './follow-trigger.ts';
import {
  type EventTrigger,
  type ProgressMessage,
  type TriggerCommand,
  type TriggerIntent,
  type TriggerParts,
  trailOutcome,
  triggerAnswer,
  triggerEvents,
} from './trigger-events.ts';

/** Reports a trigger's progress in one message that is edited. */
export interface ProgressReporter {
  /** Posts the message. Rejects with `NoProgressMessageError` if there will be none, or with another error if Slack may take it later. */
  open(run: TriggerRun, progress: TriggerProgress): Promise<ProgressMessage>;
  /** Edits the message. Never rejects; returns 'later' if Slack doesn't take the edit now, and 'done' if there is nothing more to show. */
  update(message: ProgressMessage, run: TriggerRun, progress: TriggerProgress): Promise<'done' | 'later'>;
}

export interface RunParts extends Omit<TriggerParts, 'service'>, Omit<FollowParts, 'service'> {
  readonly service: EventTrigger & FollowParts['service'];
  readonly reporter: ProgressReporter;
  readonly logger: Logger;
}

/** Slack refuses a message about a trigger for good, as if direct messages are off. */
export class NoProgressMessageError extends Error {
  override readonly name = 'NoProgressMessageError';

  constructor(cause: unknown) {
    super('there will be no message about a trigger', { cause });
  }
}

/** The service answered a trigger, or its answer was lost, but its progress can't be shown. */
export class ProgressNotPostedError extends Error implements TriggerAnswer {
  override readonly name = 'ProgressNotPostedError';
  /** What the service's answer says of each. */
  readonly recipients: readonly Recipient[];
  readonly isAnswerLost: boolean;

  constructor({ recipients, isAnswerLost }: TriggerAnswer, cause: unknown) {
    super("the progress of a trigger couldn't be shown", { cause });
    this.recipients = recipients;
    this.isAnswerLost = isAnswerLost;
  }
}

/**
 * Sends a trigger and reports its progress until every event is final or two minutes have passed. Returns `before` for a modal already
 * submitted. Throws `ServiceError` or `InputError` if nothing was sent for sure, and `ProgressNotPostedError` if its progress can't be shown,
 * so that the person who asked doesn't send again. The intent then stays open, to be resumed.
 */
export async function runTrigger(command: TriggerCommand, parts: RunParts): Promise<'reported' | 'before'> {
  const startedAt = parts.now();
  const sent = await triggerEvents(command, parts);
  if (sent.sent === 'before') return 'before';
  const { intent, environment, actor, workflow } = command;
  const run: TriggerRun = { intent, environment, actor, workflow, startedAt, isResumed: false };
  try {
    const message = await parts.reporter.open(run, { ...sent, phase: 'following', trouble: null });
    await noteMessage(run, message, parts);
    await report(run, sent, message, parts);
  } catch (error) {
    throw new ProgressNotPostedError(sent, error);
  }
  return 'reported';
}

export interface KeptTrigger {
  readonly intent: TriggerIntent;
  readonly claimedAt: Date;
  /** Null if the answer was lost, including by the process ending. */
  readonly results: readonly TriggerResult[] | null;
}

/** An intent whose outcome was not reported, because the process ended or Slack didn't take it. */
export interface UnfinishedIntent extends KeptTrigger {
  /** Null if not even the first message was posted. */
  readonly message: ProgressMessage | null;
}

/**
 * Resumes an intent, after a restart or because its outcome couldn't be shown, by reading only. Unless its results are stored, its
 * transaction IDs show whether its request was carried out. If Slack takes no message for good, it's only settled.
 */
export async function resumeTrigger(unfinished: UnfinishedIntent, parts: RunParts): Promise<void> {
  const { intent, claimedAt, results } = unfinished;
  const { environment, actor, workflow } = intent;
  const run: TriggerRun = { intent: intent.id, environment, actor, workflow, startedAt: claimedAt, isResumed: true };
  const sent = triggerAnswer(intent, results);
  const message = unfinished.message ?? (await openIfTaken(run, sent, parts));
  if (message !== null) await noteMessage(run, message, parts);
  await report(run, sent, message, parts);
}

/** Posts the message. Null if there will be none. */
async function openIfTaken(
  run: TriggerRun,
  sent: TriggerAnswer,
  { reporter, logger }: RunParts,
): Promise<ProgressMessage | null> {
  try {
    return await reporter.open(run, { ...sent, phase: 'following', trouble: null });
  } catch (error) {
    if (!(error instanceof NoProgressMessageError)) throw error;
    const { intent, environment } = run;
    logger.warn({ err: error, intent, environment }, 'a trigger is followed without a message');
    return null;
  }
}

/** The message is edited even if it can't be recorded where it is. */
async function noteMessage({ intent, environment }: TriggerRun, message: ProgressMessage, parts: RunParts) {
  try {
    await parts.store.noteProgressMessage(intent, message);
  } catch (error) {
    parts.logger.error({ err: error, intent, environment }, 'where a trigger is shown could not be written down');
  }
}

/** `message`: null if there is none. */
async function report(
  run: TriggerRun,
  sent: TriggerAnswer,
  message: ProgressMessage | null,
  parts: RunParts,
): Promise<void> {
  for await (const progress of followTrigger({ ...sent, sentAt: run.startedAt }, parts)) {
    const shown = message === null ? 'done' : await parts.reporter.update(message, run, progress);
    if (progress.phase !== 'following') await settle(run, progress, shown, parts);
  }
}

/**
 * Settles, by what was read, what the answer left open; a trail entry that is settled stays as it is. The intent stays open, to be resumed,
 * until its outcome is shown and written down.
 */
async function settle(
  { intent, environment }: TriggerRun,
  progress: TriggerProgress,
  shown: 'done' | 'later',
  { store, now, logger }: RunParts,
): Promise<void> {
  try {
    await store.settleChange(intent, trailOutcome(progress));
    if (shown === 'done') await store.closeIntent(intent, now());
  } catch (error) {
    logger.error({ err: error, intent, environment }, 'the outcome of a trigger could not be written down');
  }
}
