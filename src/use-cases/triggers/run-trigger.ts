import {
  isDone,
  type KeptTrigger,
  type ProgressMessage,
  type TriggerAnswer,
  type TriggerProgress,
  type TriggerRun,
  triggerAnswer,
} from '../../domain/triggers/trigger.ts';
import { type FollowParts, followTrigger, lookAtTrigger, type TriggerReader } from './follow-trigger.ts';
import {
  type EventTrigger,
  sendTrigger,
  type TriggerCommand,
  type TriggerParts,
  trailOutcome,
  writeDown,
} from './send-trigger.ts';

export interface ProgressReporter {
  /** Posts the message. Null if Slack refuses it for good, as if direct messages are off. Rejects if Slack may take it later. */
  open(run: TriggerRun, progress: TriggerProgress): Promise<ProgressMessage | null>;
  /** Edits the message. Never rejects; returns 'later' if Slack doesn't take the edit now, and 'done' if there is nothing more to show. */
  update(message: ProgressMessage, run: TriggerRun, progress: TriggerProgress): Promise<'done' | 'later'>;
}

export interface RunParts extends Omit<TriggerParts, 'service'>, Omit<FollowParts, 'service'> {
  readonly service: EventTrigger & FollowParts['service'];
  readonly reporter: ProgressReporter;
}

/** A trigger that was sent, or may have been, whose progress can't be shown. Its intent stays open, to be resumed. */
export interface NotPosted {
  readonly run: TriggerRun;
  readonly answer: TriggerAnswer;
  readonly error: unknown;
}

/** `before`: the modal was submitted already. Rejects only if nothing was sent for sure. */
export async function runTrigger(command: TriggerCommand, parts: RunParts): Promise<'reported' | 'before' | NotPosted> {
  const startedAt = parts.now();
  const sent = await sendTrigger(command, parts);
  if (sent === null) return 'before';
  const { intent, answer } = sent;
  const run: TriggerRun = { intent, startedAt, isResumed: false };
  try {
    const message = await parts.reporter.open(run, begun(answer));
    if (message === null) throw new Error('Slack refuses a message about a trigger for good');
    await report(run, answer, message, parts);
    return 'reported';
  } catch (error) {
    return { run, answer, error };
  }
}

/** Reads only. Unless its results are stored, its transaction IDs show whether its request was carried out. */
export async function resumeTrigger(unfinished: KeptTrigger, parts: RunParts): Promise<void> {
  const { intent, claimedAt, results } = unfinished;
  const run: TriggerRun = { intent, startedAt: claimedAt, isResumed: true };
  const answer = triggerAnswer(intent, results);
  await report(run, answer, unfinished.message ?? (await parts.reporter.open(run, begun(answer))), parts);
}

function begun(answer: TriggerAnswer): TriggerProgress {
  return { ...answer, phase: 'following', trouble: null };
}

/**
 * Reports the progress to its end, in the message if there is one. What was read then settles what the answer left open; a trail entry that is
 * settled stays as it is. The intent stays open, to be resumed, until its outcome is shown and written down.
 */
async function report(
  run: TriggerRun,
  answer: TriggerAnswer,
  message: ProgressMessage | null,
  parts: RunParts,
): Promise<void> {
  const { intent, startedAt } = run;
  const { store, reporter, now } = parts;
  if (message !== null) await writeDown(intent, parts, () => store.noteProgressMessage(intent.id, message));
  for await (const progress of followTrigger({ ...answer, sentAt: startedAt }, parts)) {
    const shown = message === null ? 'done' : await reporter.update(message, run, progress);
    if (progress.phase === 'following') continue;
    await writeDown(intent, parts, async () => {
      await store.settleChange(intent.id, trailOutcome(progress));
      if (shown === 'done') await store.closeIntent(intent.id, now());
    });
  }
}

export interface ShowTriggerParts {
  readonly store: {
    keptTrigger(intentId: string): Promise<KeptTrigger | null>;
  };
  readonly serviceOf: (environment: string) => TriggerReader;
  readonly now: () => Date;
}

/** Returns a trigger with its current progress, reread because nothing of its events is stored. Null if it isn't kept anymore. */
export async function showTrigger(
  intentId: string,
  { store, serviceOf, now }: ShowTriggerParts,
): Promise<{ readonly run: TriggerRun; readonly progress: TriggerProgress } | null> {
  const kept = await store.keptTrigger(intentId);
  if (kept === null) return null;
  const { intent, claimedAt: sentAt, results } = kept;
  const service = serviceOf(intent.environment);
  const seen = await lookAtTrigger({ ...triggerAnswer(intent, results), sentAt }, { service, now });
  const phase = seen.recipients.every(isDone) ? 'finished' : 'following';
  return { run: { intent, startedAt: sentAt, isResumed: false }, progress: { ...seen, phase } };
}
