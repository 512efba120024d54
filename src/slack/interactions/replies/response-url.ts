import { asText, hasNewerKinds } from '../../blocks/as-text.ts';
import type { MessageContent } from '../../blocks/blocks.ts';
import type { PublicContent } from '../../blocks/for-everyone.ts';

export interface ResponseOptions {
  readonly replaceOriginal?: boolean;
  /** Null or absent at the root of the channel. */
  readonly threadTs?: string | null;
}

export type Response =
  | { readonly to: 'everyone'; readonly content: PublicContent }
  | { readonly to: 'person'; readonly content: MessageContent };

/** Slack refused an answer at a response_url, which works at most five times and for thirty minutes. */
class ResponseRefusedError extends Error {
  override readonly name = 'ResponseRefusedError';
  readonly status: number;

  constructor(status: number) {
    super(`response_url answered ${status}`);
    this.status = status;
  }
}

/** Bolt's own `respond` waits forever; Slack responds within a second. */
const TIMEOUT_MS = 10_000;

/**
 * An answer that is refused goes out once more with its newer kinds of blocks as text. Rejects with
 * `ResponseRefusedError`, or with fetch's error if Slack can't be reached in time.
 */
export async function respondTo(url: string, { to, content }: Response, options: ResponseOptions): Promise<void> {
  const send = (sent: MessageContent) =>
    post(url, {
      ...sent,
      response_type: to === 'everyone' ? 'in_channel' : 'ephemeral',
      replace_original: options.replaceOriginal ?? false,
      unfurl_links: false,
      unfurl_media: false,
      ...(typeof options.threadTs === 'string' && !options.replaceOriginal ? { thread_ts: options.threadTs } : {}),
    });
  const status = await send(content);
  if (status === null) return;
  const refused = hasNewerKinds(content.blocks) ? await send({ ...content, blocks: asText(content.blocks) }) : status;
  if (refused !== null) throw new ResponseRefusedError(refused);
}

/** The status of a refusal; null if Slack accepted it. */
async function post(url: string, body: object): Promise<number | null> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.ok ? null : response.status;
}
