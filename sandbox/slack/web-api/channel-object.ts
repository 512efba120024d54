import type { Json } from '../page-protocol.ts';
import { BOT } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import { isBotIn } from './known-channel.ts';

/** A conversation as Slack shows it to apps. */
export function channelObject(channel: Channel): Json {
  const { id, name, kind, members, isArchived } = channel;
  const what = { is_channel: kind === 'public', is_private: kind !== 'public', is_im: kind === 'direct' };
  const shared = { id, ...what, is_archived: isArchived };
  if (kind === 'direct') return { ...shared, user: members.find((member) => member !== BOT.userId) };
  return { ...shared, name, is_member: isBotIn(channel), num_members: members.length };
}
