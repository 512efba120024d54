import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../domain/logger.ts';
import { textsIn } from './message-text.ts';

/**
 * Returns the text of the message at the top of a thread. '' if it's gone or Slack doesn't show it ("conversations.replies": the parent
 * comes first, given the history scope of its kind of conversation).
 */
export async function parentText(
  { channelId: channel, threadTs: ts }: { readonly channelId: string; readonly threadTs: string },
  { client, logger }: { readonly client: WebClient; readonly logger: Logger },
): Promise<string> {
  try {
    const { messages = [] } = await client.conversations.replies({ channel, ts, limit: 1 });
    return textsIn(messages.find((message) => message.ts === ts));
  } catch (err) {
    logger.warn({ err, channel }, "the message above a thread couldn't be read");
    return '';
  }
}
