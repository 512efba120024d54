import type { Logger } from '../../domain/logger.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { Gesture } from '../interactions/interaction.ts';
import type { TellChannel } from './publisher.ts';

export interface TellingParts {
  readonly tellChannel: TellChannel;
  readonly logger: Logger;
}

/** Says what somebody did to everybody in the channel or, where Slack does not take that, at least to them. */
export async function tell(
  channel: string,
  content: MessageContent,
  { reply }: Pick<Gesture, 'reply'>,
  { tellChannel, logger }: TellingParts,
): Promise<void> {
  try {
    await tellChannel(channel, content);
  } catch (error) {
    logger.warn({ err: error, channel }, "a change of a channel's watches couldn't be announced there");
    await reply.show(content);
  }
}
