import { Refusal } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { BOT, OTHER_TEAM } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import { isShared, type People } from '../state/people.ts';
import type { SlackState } from '../state/slack-state.ts';

export function isBotIn(channel: Channel): boolean {
  return channel.members.includes(BOT.userId);
}

/** Returns whether the bot can't see the channel: a private one that it isn't in. */
export function isHiddenFromBot(channel: Channel): boolean {
  return channel.kind !== 'public' && !isBotIn(channel);
}

/** Returns a conversation by its own ID, for methods in which Slack doesn't accept a person's ID for their direct messages. */
export function knownChannel(id: string, slack: SlackState): Channel {
  const channel = slack.conversations.byId(id);
  if (channel === undefined || isHiddenFromBot(channel)) throw new Refusal('channel_not_found');
  return channel;
}

/** Returns a message that apps can use. Ephemeral messages don't exist for an app: it can't edit, delete, link or react to them. */
export function publicMessage(
  channel: Channel,
  ts: string,
  slack: SlackState,
  wordForMissing = 'message_not_found',
): Message {
  const message = slack.messages.find(channel.id, ts);
  if (message === undefined || message.onlyVisibleTo !== null) throw new Refusal(wordForMissing);
  return message;
}

/** Returns a channel that the bot is in and that isn't archived, for which methods have different error codes. */
export function writableChannel(id: string, slack: SlackState, wordForArchived = 'is_archived'): Channel {
  const channel = knownChannel(id, slack);
  if (channel.isArchived) throw new Refusal(wordForArchived);
  if (!isBotIn(channel)) throw new Refusal('not_in_channel');
  return channel;
}

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
