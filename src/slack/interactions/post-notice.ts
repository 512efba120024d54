import type { Logger } from '../../domain/logger.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { Interaction } from './interaction.ts';

/** Posts a message for everybody in a channel, or in a person's direct messages with Notif. Rejects with Slack's error. */
export type PostNotice = (channelOrPerson: string, content: MessageContent) => Promise<void>;

export interface NoticeParts {
  readonly postNotice: PostNotice;
  readonly logger: Logger;
}

/**
 * Announces a person's action to everybody in the channel or, if Slack refuses that, at least to the person. Returns whether Slack confirmed
 * the message to the channel.
 */
export async function postInChannel(
  channel: string,
  content: MessageContent,
  { reply }: Pick<Interaction, 'reply'>,
  { postNotice, logger }: NoticeParts,
): Promise<boolean> {
  try {
    await postNotice(channel, content);
    return true;
  } catch (error) {
    logger.warn({ err: error, channel }, "a change in a channel couldn't be announced there");
    await reply.show(content);
    return false;
  }
}
