import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { ChannelNow, Channels, Sharing } from '../../lib/workspace.ts';
import type { SlackCtx } from '../ctx.ts';
import { remembering } from './remembered.ts';

export type ChannelsCtx = Pick<SlackCtx, 'client' | 'logger' | 'now'>;

/** How long a channel that became private can still be treated as public. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 1_000;

/** Matches channels and group messages. Anything else is a person's conversation with Notif (D…), or with nobody or someone else. */
const CHANNEL = /^[CG]/;

/**
 * ("Conversation object") Slack says that a group message is private; for a direct message it says neither that nor who is in it. It
 * describes both only if Notif is in them.
 */
const Channel = z.object({
  is_private: z.boolean().default(true),
  is_archived: z.boolean().default(false),
  is_member: z.boolean().default(false),
  is_im: z.boolean().default(false),
  is_mpim: z.boolean().default(false),
  is_ext_shared: z.boolean().default(false),
  is_pending_ext_shared: z.boolean().default(false),
});

export function createChannels(ctx: ChannelsCtx): Channels {
  const isPublic = remembering((channel) => askWhetherPublic(ctx, channel), {
    keptMs: KEPT_MS,
    most: MOST_KEPT,
    now: ctx.now,
  });
  return {
    ask: (channel) => askChannel(channel, ctx.client),
    sharing: (channel) => askSharing(ctx, channel),
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

async function askSharing({ client, logger }: ChannelsCtx, channel: string): Promise<Sharing> {
  if (!CHANNEL.test(channel)) return 'none';
  try {
    return (await askChannel(channel, client))?.sharing ?? 'unknown';
  } catch (err) {
    logger.warn({ err, channel }, "Slack didn't say whether a channel is shared with another organization");
    return 'unknown';
  }
}

async function askWhetherPublic({ client, logger }: ChannelsCtx, channel: string): Promise<boolean> {
  try {
    return (await askChannel(channel, client))?.isPublic ?? false;
  } catch (err) {
    logger.warn({ err, channel }, 'whether a channel is public could not be asked');
    return false;
  }
}
