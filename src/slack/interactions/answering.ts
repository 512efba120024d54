import type { Access } from '../../domain/access/membership.ts';
import type { Sleep } from '../../domain/time/in-time.ts';
import type { AccessControl } from './authorization.ts';
import type { Requester } from './interaction.ts';
import { cardFor, type ErrorParts } from './on-error.ts';
import type { Handler } from './route.ts';

export interface AnsweringParts extends ErrorParts {
  readonly accessControl: AccessControl;
  readonly now: () => Date;
  readonly sleep: Sleep;
}

const STILL_WORKING_AFTER_MS = 2_000;

export interface Work<I> {
  readonly for: Access;
  readonly answer: Handler<I>;
  /** Instead of a separate card. */
  readonly refused?: ((error: unknown, interaction: I) => Promise<void>) | undefined;
}

/** Never rejects: if not even the error can be shown, it's logged. */
export async function answering<I extends Requester>(
  interaction: I,
  work: Work<I>,
  parts: AnsweringParts,
): Promise<void> {
  const answered = new AbortController();
  const notice = sayStillWorking(interaction, answered.signal, parts);
  try {
    if (await isLetIn(interaction, work, parts)) await work.answer(interaction);
  } catch (error) {
    await showError(interaction, error, parts);
  } finally {
    answered.abort();
    await notice;
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

/** False if `refused` has explained why not. Rejects with the reason if there is no `refused`. */
async function isLetIn<I extends Requester>(
  interaction: I,
  work: Work<I>,
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
