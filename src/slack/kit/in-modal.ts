import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { SlackCtx } from '../ctx.ts';
import { cardFor, type ErrorCtx } from './error-card.ts';
import type { Interaction, SubmissionInteraction, Submitted } from './interaction.ts';
import { asMessage, type MessageContent } from './message.ts';
import { AnswerAt } from './places.ts';
import { code, mrkdwn } from './text.ts';
import { resultView, waitingView } from './views.ts';

/** The incident that a form keeps. Forms of versions without codes kept none. */
export const KeptRef = z.object({ incidentId: z.number(), code: z.string().nullable().default(null) });

/** What a form that sends something keeps. */
export const FormIntent = z.object({
  /** The idempotency key of what is sent: a new one after an attempt that changed nothing. */
  intent: z.string(),
  answerAt: AnswerAt.nullable(),
  channel: z.string().nullable(),
});
export type FormIntent = z.output<typeof FormIntent>;

/** What a submission came to. Its modal shows `view`, or `content` without one; if it was closed, `content` is the reply. */
export interface ModalOutcome {
  content: MessageContent;
  view?: ModalView;
}

interface Submission {
  /** What the modal shows while `work` runs. */
  next: ModalView;
  kept?: { answerAt: AnswerAt | null };
  /** Returns null if the form was submitted before. */
  work: (interaction: SubmissionInteraction) => Promise<ModalOutcome | null>;
  /** Also shows that the person can't submit the form. */
  failed?: (error: unknown) => ModalOutcome | Promise<ModalOutcome>;
}

const SUBMITTED_BEFORE = asMessage(
  mrkdwn`This was submitted already: nothing is sent twice. See its outcome in ${code('/notif audit')}.`,
);

/** Opens a modal at once, and then shows in it what `work` comes to. */
export async function inModal(
  ctx: ErrorCtx,
  interaction: Interaction,
  title: string,
  work: () => Promise<ModalView>,
): Promise<void> {
  const modal = await interaction.openModal(waitingView(title, '⏳ Looking …'));
  await modal.update(await work().catch((error: unknown) => resultView(cardFor(ctx, error), title)));
}

/** Shows in a submitted form's modal what `work` comes to. */
export function inFormModal(ctx: ErrorCtx, submission: Submission): Submitted {
  const { next, kept, work, failed = (error) => ({ content: cardFor(ctx, error) }) } = submission;
  const show = async (outcome: ModalOutcome | null, { modal, reply }: SubmissionInteraction): Promise<void> => {
    const { content, view = resultView(content, next.title.text) } = outcome ?? { content: SUBMITTED_BEFORE };
    try {
      if (outcome !== null && (await modal.update(view)) === 'shown') return;
    } catch (error) {
      ctx.logger.warn({ err: error }, "The outcome of a submission couldn't be shown in its modal");
    }
    await reply.show(content);
  };
  return {
    is: 'accepted',
    next,
    answerAt: kept?.answerAt ?? null,
    answer: async (interaction) => show(await work(interaction).catch(failed), interaction),
    denied: async (error, interaction) => show(await failed(error), interaction),
  };
}

export function intentOf({ newId }: SlackCtx, { answerAt, channelId: channel }: Interaction): FormIntent {
  return { intent: newId(), answerAt, channel };
}
