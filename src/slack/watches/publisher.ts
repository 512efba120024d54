import type { WebClient } from '@slack/web-api';
import { forEveryone } from '../blocks/for-everyone.ts';
import type { PostNotice } from '../interactions/post-notice.ts';
import type { LongValues } from '../interactions/replies/long-values.ts';

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
