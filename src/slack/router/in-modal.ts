import type { ModalView } from '@slack/types';
import { type MessageContent, message, section } from '../kit/blocks.ts';
import { mrkdwn } from '../kit/text.ts';
import { resultView, waitingView } from '../kit/view.ts';
import { errorCard } from '../kit/words/error-card.ts';
import type { ActionInteraction, FilledModal, Interaction } from './interaction.ts';
import { cardFor, type ErrorCtx } from './on-error.ts';

/** Opens the modal at once, then fills it with the result of `work` or with its error. */
export async function inModal(
  ctx: ErrorCtx,
  interaction: Interaction,
  title: string,
  work: () => Promise<ModalView>,
): Promise<void> {
  const modal = await interaction.openModal(waitingView(title, mrkdwn`⏳ Looking …`));
  await modal.update(await viewOf(ctx, title, work));
}

async function viewOf(ctx: ErrorCtx, title: string, work: () => Promise<ModalView>): Promise<ModalView> {
  try {
    return await work();
  } catch (error) {
    return resultView(cardFor(ctx, error), title);
  }
}

/**
 * A person to whom a modal above it said that this takes longer sees there that it's done. If Slack fails to update the
 * form, it stays as it's filled in, and the error is logged under a reference: submitting it draws what the choice
 * needs. Rejects with an error of `draw`, which is shown above the form.
 */
export async function redraw(
  { logger, newReference }: Pick<ErrorCtx, 'logger' | 'newReference'>,
  { modal, reply }: Pick<ActionInteraction, 'modal' | 'reply'>,
  draw: (modal: FilledModal) => ModalView | Promise<ModalView>,
): Promise<void> {
  if (modal === null) return;
  const view = await draw(modal);
  try {
    await modal.update(view);
  } catch (error) {
    const reference = newReference();
    logger.warn({ reference, err: error }, 'a form could not be drawn again and stays as it is');
    return reply.endWait?.(errorCard(NOT_DRAWN, reference));
  }
  await reply.endWait?.(DRAWN);
}

const DRAWN: MessageContent = message(mrkdwn`The form is up to date. Close this to continue.`, [
  section(mrkdwn`✅ The form is up to date.\nClose this to continue.`),
]);

const NOT_DRAWN = {
  what: "The form couldn't be updated.",
  next: 'It keeps what you filled in. Close this, and choose again.',
};
