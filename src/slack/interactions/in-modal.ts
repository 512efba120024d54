import type { ModalView } from '@slack/types';
import { mrkdwn } from '../blocks/text.ts';
import { resultView, waitingView } from '../blocks/view.ts';
import type { Interaction } from './interaction.ts';
import { cardFor, type ErrorParts } from './on-error.ts';

/** Opens the modal at once, then fills it with the result of `work` or with its error. */
export async function inModal(
  interaction: Interaction,
  title: string,
  work: () => Promise<ModalView>,
  parts: ErrorParts,
): Promise<void> {
  const modal = await interaction.openModal(waitingView(title, mrkdwn`⏳ Looking …`));
  await modal.update(await viewOf(title, work, parts));
}

async function viewOf(title: string, work: () => Promise<ModalView>, parts: ErrorParts): Promise<ModalView> {
  try {
    return await work();
  } catch (error) {
    return resultView(cardFor(error, parts), title);
  }
}
