import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Logger } from '../../lib/logger.ts';
import { type MessageContent, sentence } from '../kit/blocks.ts';
import { code, mrkdwn } from '../kit/text.ts';
import { resultView, waitingView } from '../kit/view.ts';
import type { Interaction, SubmissionInteraction } from './interaction.ts';
import { cardFor, type ErrorCtx } from './on-error.ts';

export async function inModal(
  ctx: ErrorCtx,
  interaction: Interaction,
  title: string,
  work: () => Promise<ModalView>,
): Promise<void> {
  const modal = await interaction.openModal(waitingView(title, mrkdwn`⏳ Looking …`));
  await modal.update(await work().catch((error: unknown) => resultView(cardFor(ctx, error), title)));
}

export const FormIntent = z.object({
  /** The idempotency key: new after an attempt that changed nothing. */
  intent: z.string(),
  answerUrl: z.string().nullable(),
  channel: z.string().nullable(),
});

export const SUBMITTED_BEFORE = sentence(
  mrkdwn`This was submitted already: nothing is sent twice. See its outcome in ${code('/notif audit')}.`,
);

export async function showOutcome(
  view: ModalView,
  content: MessageContent,
  { modal, outside }: Pick<SubmissionInteraction, 'modal' | 'outside'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  try {
    if ((await modal.update(view)) === 'shown') return;
  } catch (error) {
    logger.warn({ err: error }, "The outcome of a submission couldn't be shown in its modal");
  }
  await outside.show(content);
}
