import type { WebClient } from '@slack/web-api';
import type { MessageContent } from '../blocks/blocks.ts';
import { forEveryone } from '../blocks/for-everyone.ts';
import type { LongValues } from '../interactions/replies/long-values.ts';

/** Posts a message for everybody in a channel. Rejects with Slack's error. */
export type PostNotice = (channel: string, content: MessageContent) => Promise<void>;

/** Tries once: a repeated post would be a second message. `values` fits the values of its buttons: a watch can have many long names. */
export function createPostNotice(deliveryClient: WebClient, values: Pick<LongValues, 'fitted'>): PostNotice {
  return async (channel, content) => {
    const { text, blocks } = await values.fitted(forEveryone(content));
    await deliveryClient.chat.postMessage({
      channel,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
    });
  };
}
