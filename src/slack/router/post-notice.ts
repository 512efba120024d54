import type { WebClient } from '@slack/web-api';
import type { SlackCtx } from '../ctx.ts';
import type { MessageContent } from '../kit/blocks.ts';
import { forEveryone } from '../kit/for-everyone.ts';
import { sendable } from '../kit/sendable.ts';
import type { Interaction } from './interaction.ts';
import { channelPlace } from './reply.ts';

/** In a channel, or in a person's direct messages with Notif. Rejects with Slack's error. */
export type PostNotice = (channelOrPerson: string, content: MessageContent) => Promise<void>;

/** Tries once: a repeated post would be a second message. */
export function createPostNotice(deliveryClient: WebClient): PostNotice {
  return async (channel, content) => {
    await channelPlace(channel, null, deliveryClient).post(sendable(forEveryone(content)));
  };
}

/** If Slack refuses it, at least the person gets it. Returns whether Slack confirmed the message to the channel. */
export async function postInChannel(
  { postNotice, logger }: Pick<SlackCtx, 'postNotice' | 'logger'>,
  channel: string,
  content: MessageContent,
  { reply }: Pick<Interaction, 'reply'>,
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
