import type { WebClient } from '@slack/web-api';
import { forEveryone } from '../blocks/for-everyone.ts';
import { sendable } from '../blocks/sendable.ts';
import type { PostNotice } from '../interactions/post-notice.ts';

/** Tries once: a repeated post would be a second message. */
export function createPostNotice(deliveryClient: WebClient): PostNotice {
  return async (channel, content) => {
    const { text, blocks } = sendable(forEveryone(content));
    await deliveryClient.chat.postMessage({
      channel,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
    });
  };
}
