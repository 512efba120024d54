import type { Access } from '../../domain/access/membership.ts';
import type { Seal } from '../../domain/access/seal.ts';
import type { KeptTexts } from '../../domain/text/kept-texts.ts';
import type { AccessControl } from './authorization.ts';
import type { Requester } from './interaction.ts';
import { cardFor, type ErrorParts } from './on-error.ts';
import type { Answer } from './route.ts';

export interface AnsweringParts extends ErrorParts {
  readonly accessControl: AccessControl;
  readonly texts: KeptTexts;
  readonly seal: Seal;
  readonly now: () => Date;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** After this long the person sees "Still working". */
export const STILL_WORKING_AFTER_MS = 2_000;

/** What is done for somebody, and who can have it done. */
export interface Work<G> {
  readonly for: Access;
  readonly answer: Answer<G>;
  /** Shows why somebody wasn't let in, in place of a card by itself. */
  readonly refused?: ((error: unknown, interaction: G) => Promise<void>) | undefined;
}

/**
 * Does what an interaction asks for, if the person is let in, and sees to it that they get an answer: the work's own, or what went wrong. Never
 * rejects: where not even that can be shown, the log has it.
 */
export async function answering<G extends Requester>(
  interaction: G,
  work: Work<G>,
  parts: AnsweringParts,
): Promise<void> {
  const answered = new AbortController();
  const telling = sayStillWorking(interaction, answered.signal, parts);
  try {
    if (await isLetIn(interaction, work, parts)) await work.answer(interaction);
  } catch (error) {
    await showError(interaction, error, parts);
  } finally {
    answered.abort();
    await telling;
  }
}

async function sayStillWorking({ reply }: Requester, answered: AbortSignal, parts: AnsweringParts): Promise<void> {
  try {
    await parts.sleep(STILL_WORKING_AFTER_MS, answered);
    if (!answered.aborted) await reply.stillWorking();
  } catch (error) {
    if (!answered.aborted) parts.logger.warn({ err: error }, "'still working' couldn't be shown to a person");
  }
}

/** False where `refused` has said why not. Rejects with the reason where there is no `refused`. */
async function isLetIn<G extends Requester>(
  interaction: G,
  work: Work<G>,
  { accessControl }: AnsweringParts,
): Promise<boolean> {
  try {
    await accessControl.authorize(interaction.userId, work.for);
    return true;
  } catch (error) {
    if (work.refused === undefined) throw error;
    await work.refused(error, interaction);
    return false;
  }
}

async function showError({ reply }: Requester, error: unknown, parts: AnsweringParts): Promise<void> {
  const card = cardFor(error, parts);
  try {
    await reply.show(card);
  } catch (refusal) {
    parts.logger.error({ err: refusal, answerTo: error }, "an error couldn't be shown to a person");
  }
}
