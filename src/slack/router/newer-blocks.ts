import type { FetchFunction } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { asText, hasNewerKinds } from '../kit/as-text.ts';
import type { MessageBlock } from '../kit/blocks.ts';

/** Slack's error codes for blocks that it doesn't accept; the last one is a view's. */
const REFUSED =
  /"error":"(?:invalid_blocks|invalid_blocks_format|invalid_attachments|msg_blocks_too_long|invalid_arguments)"/;

const HAS_BLOCKS = /(?:^|&)(?:blocks|view)=/;

export type Send = (...call: Parameters<FetchFunction>) => Promise<Response>;

/**
 * Slack introduces kinds of blocks workspace by workspace: what it refuses is sent once more, with those as text. It
 * did nothing then, so this is safe for a post too.
 */
export function refusedAsText(send: Send, logger: Pick<Logger, 'warn'>): Send {
  return async (url, init) => {
    const answer = await send(url, init);
    if (typeof init?.body !== 'string' || !HAS_BLOCKS.test(init.body)) return answer;
    const [refusal] = REFUSED.exec(await answer.clone().text()) ?? [];
    const body = refusal === undefined ? null : textBody(init.body);
    if (body === null) return answer;
    logger.warn({ refusal }, 'Slack refused the newer kinds of blocks of a message, sending them as text');
    return send(url, { ...init, body });
  };
}

/** Null if it has none. */
function textBody(body: string): string | null {
  const form = new URLSearchParams(body);
  const field = form.has('blocks') ? 'blocks' : 'view';
  const sent: readonly MessageBlock[] | { readonly blocks: readonly MessageBlock[] } = JSON.parse(
    form.get(field) ?? '[]',
  );
  const blocks = 'blocks' in sent ? sent.blocks : sent;
  if (!hasNewerKinds(blocks)) return null;
  const words = asText(blocks);
  form.set(field, JSON.stringify('blocks' in sent ? { ...sent, blocks: words } : words));
  return form.toString();
}
