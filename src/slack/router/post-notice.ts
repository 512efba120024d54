import type { SlackCtx } from '../ctx.ts';
import type { MessageContent } from '../kit/blocks.ts';
import { forEveryone } from '../kit/for-everyone.ts';
import type { Interaction } from './interaction.ts';
import { channelPlace } from './reply.ts';

/** In a channel or, by a person's ID, in their direct messages. Shown to who did it if Slack refuses that. Returns whether Slack confirmed it. */
export async function postInChannel(
  { deliveryClient, logger }: Pick<SlackCtx, 'deliveryClient' | 'logger'>,
  channel: string,
  content: MessageContent,
  { reply }: Pick<Interaction, 'reply'>,
): Promise<boolean> {
  try {
    await channelPlace(channel, null, deliveryClient).post(forEveryone(content));
    return true;
  } catch (error) {
    logger.warn({ err: error, channel }, "a change in a channel couldn't be announced there");
    await reply.show(content);
    return false;
  }
}
