import { type Arguments, Refusal } from '../arguments.ts';
import { messageObject } from '../block-kit/objects.ts';
import type { Json } from '../page-protocol.ts';
import { BOT } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';

export function isHiddenFromBot({ kind, members }: Channel): boolean {
  return kind !== 'public' && !members.includes(BOT.userId);
}

/** Returns a conversation by its own ID, for methods in which Slack doesn't accept a person's ID for their direct messages. */
function knownChannel(id: string, slack: SlackState): Channel {
  const channel = slack.channel(id);
  if (channel === undefined || isHiddenFromBot(channel)) throw new Refusal('channel_not_found');
  return channel;
}

export function writableChannel(id: string, slack: SlackState, wordForArchived = 'is_archived'): Channel {
  const channel = knownChannel(id, slack);
  if (channel.isArchived) throw new Refusal(wordForArchived);
  if (!channel.members.includes(BOT.userId)) throw new Refusal('not_in_channel');
  slack.checkDirectMessages(channel);
  return channel;
}

export function scopeFor(purpose: 'read' | 'history'): (args: Arguments, slack: SlackState) => string {
  const prefixes = { public: 'channels', private: 'groups', group: 'mpim', direct: 'im' };
  return (args, slack) => `${prefixes[slack.channel(args.text('channel') ?? '')?.kind ?? 'public']}:${purpose}`;
}

export function info(args: Arguments, slack: SlackState): Json {
  const channel = knownChannel(args.required('channel'), slack);
  const { id, name, kind, members, isArchived, isPendingShared } = channel;
  const kinds = { is_im: kind === 'direct', is_mpim: kind === 'group', is_private: kind !== 'public' };
  const what = { id, ...kinds, is_archived: isArchived };
  if (kind === 'direct') return { channel: what };
  const sharing = { is_ext_shared: slack.isShared(channel), is_pending_ext_shared: isPendingShared };
  return { channel: { name, ...what, ...sharing, is_member: members.includes(BOT.userId) } };
}

export function open(args: Arguments, slack: SlackState): Json {
  const personId = args.text('users');
  if (personId === undefined) throw new Refusal('users_list_not_supplied');
  const person = slack.person(personId);
  if (person === undefined) throw new Refusal('user_not_found');
  if (!slack.isActive(person.id)) throw new Refusal('user_disabled');
  return { no_op: true, already_open: true, channel: { id: slack.channelOrDirect(personId)?.id } };
}

export function history(args: Arguments, slack: SlackState): Json {
  const isNew = isAfterOldest(args);
  const messages = readableMessages(args, slack).filter((each) => each.threadTs === null && isNew(each));
  return messagePage(messages.toReversed(), args);
}

/** Returns a thread, always with its parent: `oldest` leaves out only replies. */
export function replies(args: Arguments, slack: SlackState): Json {
  const ts = args.required('ts');
  const isNew = isAfterOldest(args);
  const thread = readableMessages(args, slack).filter((message) => message.ts === ts || message.threadTs === ts);
  if (thread.length === 0) throw new Refusal('thread_not_found');
  const wanted = thread.filter((message) => message.ts === ts || isNew(message));
  return messagePage(wanted, args);
}

function readableMessages(args: Arguments, slack: SlackState): readonly Message[] {
  const channel = knownChannel(args.required('channel'), slack);
  if (!channel.members.includes(BOT.userId)) throw new Refusal('not_in_channel');
  return slack.messagesIn(channel.id).filter(({ onlyVisibleTo }) => onlyVisibleTo === null);
}

function isAfterOldest(args: Arguments): (message: Message) => boolean {
  const oldest = Number(args.text('oldest') ?? 0);
  return ({ ts }) => Number(ts) > oldest;
}

const DEFAULT_LIMIT = 100;

function messagePage(messages: readonly Message[], args: Arguments): Json {
  const limit = Number(args.text('limit') ?? DEFAULT_LIMIT);
  const cursor = args.text('cursor') ?? '';
  const first = messages.findIndex(({ ts }) => cursor === '' || ts === cursor);
  const from = first < 0 ? messages.length : first;
  const more = messages[from + limit]?.ts;
  const withAllMetadata = args.flag('include_all_metadata');
  return {
    messages: messages.slice(from, from + limit).map((message) => historyObject(message, withAllMetadata)),
    ...(more !== undefined && { response_metadata: { next_cursor: more } }),
  };
}

/** Without `include_all_metadata`, Slack shows only that there is metadata, and its type. */
function historyObject(message: Message, withAllMetadata: boolean): Json {
  const { metadata } = message;
  if (metadata === null) return messageObject(message);
  return { ...messageObject(message), metadata: withAllMetadata ? metadata : { event_type: metadata.event_type } };
}
