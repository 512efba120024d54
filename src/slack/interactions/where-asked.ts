import type { Logger } from '../../domain/logger.ts';
import type { SubmissionInteraction } from './interaction.ts';
import type { Reply } from './replies/reply.ts';

/**
 * Returns where to answer a person about a form that they submitted: where they requested it or, if that wasn't a channel or no longer takes
 * answers (a response_url works for half an hour), in their direct messages.
 */
export function whereAsked(
  answerUrl: string | null,
  { replyAt, direct }: Pick<SubmissionInteraction, 'replyAt' | 'direct'>,
  logger: Logger,
): Pick<Reply, 'show'> {
  if (answerUrl === null) return direct;
  return {
    show: async (content) => {
      try {
        await replyAt(answerUrl).show(content);
      } catch (error) {
        logger.warn({ err: error }, 'the answer to a form could not be given where it was asked for');
        await direct.show(content);
      }
    },
  };
}
