import { isDone, type TriggerProgress, type TriggerRun } from '../../domain/triggers/trigger.ts';
import { lookAtTrigger, type TriggerReader } from './follow-trigger.ts';
import type { KeptTrigger } from './run-trigger.ts';
import { triggerAnswer } from './trigger-events.ts';

export interface KeptTriggers {
  /** Returns a trigger by its intent; null if it isn't kept anymore. */
  keptTrigger(intentId: string): Promise<KeptTrigger | null>;
}

export interface ShowTriggerParts {
  readonly store: KeptTriggers;
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
  const { environment, actor, workflow } = intent;
  const sent = { ...triggerAnswer(intent, results), sentAt };
  const seen = await lookAtTrigger(sent, { service: serviceOf(environment), now });
  const phase = seen.recipients.every(isDone) ? 'finished' : 'following';
  const run = { intent: intent.id, environment, actor, workflow, startedAt: sentAt, isResumed: false };
  return { run, progress: { ...seen, phase } };
}
