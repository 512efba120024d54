import { cardFor, type ErrorParts } from '../on-error.ts';
import type { Gesture } from './gesture.ts';

export interface AnsweringParts extends ErrorParts {
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Whoever waits for longer than this is told so. */
export const PATIENCE_MS = 2_000;

/**
 * Does what a gesture asks for and sees to it that the person gets an answer: the work's own, or what went wrong. Never rejects:
 * where not even that can be shown, the log has it.
 */
export async function answering<G extends Gesture>(
  gesture: G,
  work: (gesture: G) => Promise<void>,
  parts: AnsweringParts,
): Promise<void> {
  const answered = new AbortController();
  const telling = tellOfWaiting(gesture, answered.signal, parts);
  try {
    await work(gesture);
  } catch (error) {
    await showError(gesture, error, parts);
  } finally {
    answered.abort();
    await telling;
  }
}

async function tellOfWaiting({ reply }: Gesture, answered: AbortSignal, parts: AnsweringParts): Promise<void> {
  try {
    await parts.sleep(PATIENCE_MS, answered);
    if (!answered.aborted) await reply.stillWorking();
  } catch (error) {
    if (!answered.aborted) parts.logger.warn({ err: error }, 'a person could not be told that the answer takes longer');
  }
}

async function showError({ reply }: Gesture, error: unknown, parts: AnsweringParts): Promise<void> {
  const card = cardFor(error, parts);
  try {
    await reply.show(card);
  } catch (refusal) {
    parts.logger.error({ err: refusal, answerTo: error }, 'a person could not be told what went wrong');
  }
}
