import type { ModalView } from '@slack/types';
import { mrkdwn } from '../blocks/text.ts';
import { resultView, waitingView } from '../blocks/view.ts';
import type { Interaction } from './interaction.ts';
import { cardFor, type ErrorParts } from './on-error.ts';

/** Opens a modal at once, then fills it with the result of `work` or with its error. */
export async function inModal(
  interaction: Interaction,
  title: string,
  work: () => Promise<ModalView>,
  parts: ErrorParts,
): Promise<void> {
  const modal = await interaction.openModal(waitingView(title, mrkdwn`⏳ Looking …`));
  await modal.update(await viewOf(title, work, parts));
}

/** Explains an error in a modal above a form, so that what was typed in it stays. Never rejects: if Slack refuses, it's only logged. */
export async function explainAbove(
  error: unknown,
  { openModal }: Pick<Interaction, 'openModal'>,
  parts: ErrorParts,
): Promise<void> {
  const card = cardFor(error, parts);
  try {
    await openModal(resultView(card));
  } catch (err) {
    parts.logger.error({ err, answerTo: error }, "an error couldn't be shown to a person");
  }
}

async function viewOf(title: string, work: () => Promise<ModalView>, parts: ErrorParts): Promise<ModalView> {
  try {
    return await work();
  } catch (error) {
    return resultView(cardFor(error, parts), title);
  }
}
