import type { ConversationsInfoResponse } from '@slack/web-api';
import { MINUTE_MS } from '../../lib/time/durations.ts';
import { type ChannelNow, type Channels, isChannel } from '../../lib/workspace.ts';
import { nullIfRefused } from '../slack-errors.ts';
import { type AskingCtx, cached } from './cached.ts';

type ChannelInfo = NonNullable<ConversationsInfoResponse['channel']>;

/** For names of public channels: one that became private can count as public for this long. */
const CHANNELS_TTL_MS = 10 * MINUTE_MS;

interface ChannelsCtx extends AskingCtx {
  noteChannelId: (from: string, to: string) => Promise<void>;
}

export function createChannels(ctx: ChannelsCtx): Channels {
  const { client, logger } = ctx;
  // Null if Notif can't see the channel; empty for a group of people that Notif isn't in, which Slack omits.
  const infoOf = async (channel: string): Promise<ChannelInfo | null> => {
    const answer = await nullIfRefused(['channel_not_found'], client.conversations.info({ channel }));
    return answer && (answer.channel ?? {});
  };
  const newId = async (channel: string): Promise<string | null> => {
    // A private channel that is shared with another organization keeps the rest: G012Y48650T becomes C012Y48650T.
    const id = channel.replace(/^G/, 'C');
    if (id === channel || !(await infoOf(id))?.is_member) return null;
    await ctx.noteChannelId(channel, id);
    return id;
  };
  const ask = async (channel: string): Promise<ChannelNow | null> => {
    const info = await infoOf(channel);
    if (info === null) {
      const id = await newId(channel);
      return id === null ? null : ask(id);
    }
    const isDirect = info.is_im || info.is_mpim;
    return {
      isPublic: isPublicNow(info),
      isArchived: info.is_archived === true,
      isMember: info.is_member || isDirect || false,
      isShared: info.is_ext_shared || info.is_pending_ext_shared || false,
    };
  };
  const nameIfPublic = cached(ctx, CHANNELS_TTL_MS, async (channel) => {
    const info = await infoOf(channel);
    return info !== null && isPublicNow(info) ? (info.name ?? '') : null;
  });
  const orNull = <Answer>(channel: string, answer: Promise<Answer>) =>
    answer.catch((err: unknown) => {
      logger.warn({ err, channel }, "Slack didn't describe a channel");
      return null;
    });
  const publicName = async (channel: string) =>
    isChannel(channel) ? await orNull(channel, nameIfPublic(channel)) : null;
  return {
    ask,
    newId,
    publicName,
    // A channel that Slack doesn't describe may be shared.
    isShared: async (channel) => isChannel(channel) && ((await orNull(channel, ask(channel)))?.isShared ?? true),
    isPublic: async (channel) => (await publicName(channel)) !== null,
  };
}

const isPublicNow = ({ is_private: isPrivate, is_im: isDirect, is_mpim: isGroup }: ChannelInfo): boolean =>
  isPrivate === false && !isDirect && !isGroup;
