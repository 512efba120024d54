import { type ChatPostMessageArguments, WebAPIPlatformError } from '@slack/web-api';
import type { SlackCtx } from './ctx.ts';

/** Slack posts replies to a deleted message in the channel: deletes such a reply and rejects with `thread_not_found`. */
export async function postMessage(
  { deliveryClient: { chat }, logger }: Pick<SlackCtx, 'deliveryClient' | 'logger'>,
  sent: ChatPostMessageArguments,
) {
  const posted = await chat.postMessage(sent);
  const { channel, ts, message } = posted;
  const isAstray = 'thread_ts' in sent && sent.thread_ts !== undefined && message && message.thread_ts === undefined;
  if (!isAstray || channel === undefined || ts === undefined) return posted;
  // A retry would only post another one.
  await chat
    .delete({ channel, ts })
    .catch((err: unknown) => logger.warn({ err, channel, ts }, "A reply outside of its thread couldn't be deleted"));
  throw new WebAPIPlatformError({ ok: false, error: 'thread_not_found' });
}
