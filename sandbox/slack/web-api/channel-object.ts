import type { Json } from '../page-protocol.ts';
import { BOT, OTHER_TEAM } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { People } from '../state/people.ts';
import { isShared } from '../state/standing.ts';
import { isBotIn } from './known-channel.ts';

/** Returns a conversation as Slack shows it to apps ("Conversation object"), with private channels as since March 2021. */
export function channelObject(channel: Channel, { people }: { readonly people: People }): Json {
  const { id, name, kind, members, isArchived } = channel;
  const what = { ...kindOf(kind), is_archived: isArchived };
  if (kind === 'direct') return { id, ...what, user: members.find((member) => member !== BOT.userId) };
  return { id, name, ...what, ...sharing(channel, people), is_member: isBotIn(channel), num_members: members.length };
}

function kindOf(kind: Channel['kind']): Json {
  return {
    is_channel: kind === 'public' || kind === 'private',
    is_group: false,
    is_im: kind === 'direct',
    is_mpim: kind === 'group',
    is_private: kind !== 'public',
  };
}

/** Slack Connect: `is_shared` goes with `is_ext_shared`; an open invitation is pending. */
function sharing(channel: Channel, people: People): Json {
  const isExternal = isShared(channel, people);
  return {
    is_shared: isExternal,
    is_ext_shared: isExternal,
    is_org_shared: false,
    is_pending_ext_shared: channel.isPendingShared,
    pending_shared: channel.isPendingShared ? [OTHER_TEAM.id] : [],
  };
}
