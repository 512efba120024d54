import type { Arguments } from '../arguments.ts';
import { messageObject } from '../block-kit/message-object.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { pageOf } from './paging.ts';

export function info(args: Arguments, slack: SlackState): Json {
  const channel = knownChannel(args, slack);
  return { channel: channelObject(channel) };
}

/** Opens the direct message with one person; the bot talks to no groups. */
export function open(args: Arguments, slack: SlackState): Json {
  const channel = slack.conversations.find(args.text('users') ?? args.required('channel'));
  if (channel === undefined) throw new Refusal(args.has('users') ? 'user_not_found' : 'channel_not_found');
  return { channel: { id: channel.id } };
}

/** The channel's own messages, newest first: no ephemeral ones, and no replies that were not broadcast. */
export function history(args: Arguments, slack: SlackState): Json {
  const channel = readableChannel(args, slack);
  const messages = publicMessages(channel, slack).filter(isInChannel).toReversed();
  return messagePage(messages, args);
}

/** A thread, its parent first. */
export function replies(args: Arguments, slack: SlackState): Json {
  const channel = readableChannel(args, slack);
  const ts = args.required('ts');
  const thread = publicMessages(channel, slack).filter((message) => message.ts === ts || message.threadTs === ts);
  if (thread.length === 0) throw new Refusal('thread_not_found');
  return messagePage(thread, args);
}

/** The scope that reading a conversation takes, such as `channels:history`; by its kind. */
export function scopeFor(purpose: 'read' | 'history'): (args: Arguments, slack: SlackState) => string {
  const prefixes = { public: 'channels', private: 'groups', direct: 'im' };
  return (args, slack) => {
    const channel = slack.conversations.find(args.text('channel') ?? '');
    return `${prefixes[channel?.kind ?? 'public']}:${purpose}`;
  };
}

function messagePage(messages: readonly Message[], args: Arguments): Json {
  const page = pageOf(messages.filter(isWithin(args)), args);
  const withAllMetadata = args.flag('include_all_metadata');
  return { ...page.fields, messages: page.items.map((message) => historyObject(message, withAllMetadata)) };
}

function isWithin(args: Arguments): (message: Message) => boolean {
  const oldest = args.number('oldest') ?? 0;
  const latest = args.number('latest') ?? Number.POSITIVE_INFINITY;
  const inclusive = args.flag('inclusive');
  return ({ ts }) => {
    const at = Number(ts);
    return (at > oldest && at < latest) || (inclusive && (at === oldest || at === latest));
  };
}

/** Without `include_all_metadata` Slack shows that there is metadata, and of which type. */
function historyObject(message: Message, withAllMetadata: boolean): Json {
  if (message.metadata === null) return messageObject(message);
  const metadata = withAllMetadata ? message.metadata : { event_type: message.metadata.event_type };
  return { ...messageObject(message), metadata };
}

function publicMessages(channel: Channel, slack: SlackState): readonly Message[] {
  return slack.messages.in(channel.id).filter((message) => message.onlyVisibleTo === null);
}

function isInChannel(message: Message): boolean {
  return message.threadTs === null || message.replyBroadcast;
}

function readableChannel(args: Arguments, slack: SlackState): Channel {
  const channel = knownChannel(args, slack);
  if (!channel.members.includes(BOT.userId)) throw new Refusal('not_in_channel');
  return channel;
}

/** A private channel that the bot is not in does not exist for it. */
function knownChannel(args: Arguments, slack: SlackState): Channel {
  const channel = slack.conversations.find(args.required('channel'));
  const isHidden = channel?.kind !== 'public' && !channel?.members.includes(BOT.userId);
  if (channel === undefined || isHidden) throw new Refusal('channel_not_found');
  return channel;
}

function channelObject(channel: Channel): Json {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: channel.kind === 'public',
    is_private: channel.kind !== 'public',
    is_im: channel.kind === 'direct',
    is_member: channel.members.includes(BOT.userId),
    is_archived: false,
    num_members: channel.members.length,
  };
}
