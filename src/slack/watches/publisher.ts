import type { WebClient } from '@slack/web-api';
import type { MessageContent } from '../blocks/blocks.ts';
import { forEveryone } from '../blocks/for-everyone.ts';

/** Posts a message for everybody in a channel. Rejects with Slack's error. */
export type PostNotice = (channel: string, content: MessageContent) => Promise<void>;

/** Tries once: a repeated post would be a second message. */
export function createPostNotice(deliveryClient: WebClient): PostNotice {
  return async (channel, content) => {
    const { text, blocks } = forEveryone(content);
    await deliveryClient.chat.postMessage({
      channel,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
    });
  };
}
