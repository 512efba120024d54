import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import { MINUTE_MS } from '../../lib/time/durations.ts';
import type { ChannelNow, Channels, Sharing } from '../../lib/workspace.ts';
import { type AskingCtx, remembering } from './remembered.ts';

/** How long it can still be public after becoming private. */
const KEPT_MS = 10 * MINUTE_MS;

/** Else a person's conversation (D…). */
const CHANNEL = /^[CG]/;

/** ("Conversation object") Slack omits groups that Notif isn't in. */
const Channel = z.object({
  is_private: z.boolean().default(true),
  is_archived: z.boolean().default(false),
  is_member: z.boolean().default(false),
  is_im: z.boolean().default(false),
  is_mpim: z.boolean().default(false),
  is_ext_shared: z.boolean().default(false),
  is_pending_ext_shared: z.boolean().default(false),
});

export function createChannels(ctx: AskingCtx): Channels {
  const { client, logger } = ctx;
  const askOrNull = (channel: string) =>
    askChannel(channel, client).catch((err: unknown) => {
      logger.warn({ err, channel }, "Slack didn't describe a channel");
      return null;
    });
  const isPublic = remembering(ctx, KEPT_MS, async (channel) => (await askOrNull(channel))?.isPublic ?? false);
  const sharing = async (channel: string): Promise<Sharing> => (await askOrNull(channel))?.sharing ?? 'unknown';
  return {
    ask: (channel) => askChannel(channel, client),
    sharing: async (channel) => (CHANNEL.test(channel) ? sharing(channel) : 'none'),
    isPublic: async (channel) => CHANNEL.test(channel) && isPublic(channel),
  };
}

async function askChannel(channel: string, client: WebClient): Promise<ChannelNow | null> {
  try {
    const answer = await client.conversations.info({ channel });
    const now = Channel.parse(answer.channel);
    return {
      isPublic: !now.is_private && !now.is_im && !now.is_mpim,
      isArchived: now.is_archived,
      isMember: now.is_member || now.is_im || now.is_mpim,
      sharing: now.is_ext_shared ? 'shared' : now.is_pending_ext_shared ? 'pending' : 'none',
    };
  } catch (error) {
    if (error instanceof WebAPIPlatformError && error.data.error === 'channel_not_found') return null;
    throw error;
  }
}
