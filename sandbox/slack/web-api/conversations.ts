import { type Arguments, Refusal } from '../arguments.ts';
import { messageObject } from '../block-kit/objects.ts';
import type { Json } from '../page-protocol.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { channelObject, isBotIn, knownChannel } from './channels.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 999;
const CURSOR_PREFIX = 'next:';

/**
 * Returns a page of a list by `limit` and `cursor`, which is the key of the page's first item. `fields` are Slack's fields about further
 * pages.
 */
function pageOf<T>(
  all: readonly T[],
  args: Arguments,
  keyOf: (item: T) => string,
): { readonly items: readonly T[]; readonly fields: Json } {
  const from = startOf(all.map(keyOf), args.text('cursor'));
  const next = all[from + limitOf(args)];
  const items = all.slice(from, from + limitOf(args));
  if (next === undefined) return { items, fields: { has_more: false } };
  return { items, fields: { has_more: true, response_metadata: { next_cursor: cursorTo(keyOf(next)) } } };
}

function limitOf(args: Arguments): number {
  const limit = args.number('limit') ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw new Refusal('invalid_limit');
  return limit;
}

function startOf(keys: readonly string[], cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0;
  if (!Buffer.from(cursor, 'base64').toString().startsWith(CURSOR_PREFIX)) throw new Refusal('invalid_cursor');
  const at = keys.findIndex((key) => cursorTo(key) === cursor);
  return at < 0 ? keys.length : at;
}

function cursorTo(key: string): string {
  return Buffer.from(`${CURSOR_PREFIX}${key}`).toString('base64');
}

export function info(args: Arguments, slack: SlackState): Json {
  return { channel: channelObject(knownChannel(args.required('channel'), slack), slack) };
}

/** Opens the direct message with one person; this Slack opens none with groups. */
export function open(args: Arguments, slack: SlackState): Json {
  return { no_op: true, already_open: true, channel: { id: directMessageWith(args.text('users'), slack).id } };
}

/** Returns the channel's own messages, newest first: no ephemeral ones, and no replies. */
export function history(args: Arguments, slack: SlackState): Json {
  const channel = readableChannel(args, slack);
  const messages = publicMessages(channel, slack)
    .filter(({ threadTs }) => threadTs === null)
    .toReversed();
  return messagePage(messages, args, slack);
}

export function replies(args: Arguments, slack: SlackState): Json {
  const channel = readableChannel(args, slack);
  const ts = args.required('ts');
  const thread = publicMessages(channel, slack).filter((message) => message.ts === ts || message.threadTs === ts);
  if (thread.length === 0) throw new Refusal('thread_not_found');
  return messagePage(thread, args, slack);
}

/** Returns the scope for reading a conversation of this type, such as `channels:history`. */
export function scopeFor(purpose: 'read' | 'history'): (args: Arguments, slack: SlackState) => string {
  const prefixes = { public: 'channels', private: 'groups', group: 'mpim', direct: 'im' };
  return (args, slack) => {
    const channel = slack.conversations.byId(args.text('channel') ?? '');
    return `${prefixes[channel?.kind ?? 'public']}:${purpose}`;
  };
}

function directMessageWith(personId: string | undefined, slack: SlackState): Channel {
  if (personId === undefined) throw new Refusal('users_list_not_supplied');
  const channel = slack.people.find(personId) && slack.conversations.find(personId);
  if (channel === undefined) throw new Refusal('user_not_found');
  if (!slack.people.isActive(personId)) throw new Refusal('user_disabled');
  return channel;
}

function messagePage(messages: readonly Message[], args: Arguments, slack: SlackState): Json {
  const page = pageOf(messages.filter(isWithin(args)), args, ({ ts }) => ts);
  const withAllMetadata = args.flag('include_all_metadata');
  const shown = (message: Message) => ({ ...historyObject(message, withAllMetadata), ...threadFields(message, slack) });
  return { ...page.fields, messages: page.items.map(shown) };
}

/** Returns Slack's fields about a message's thread, if it has one. */
function threadFields({ channel, ts }: Message, { messages }: SlackState): Json {
  const replies = messages.in(channel).filter((each) => each.threadTs === ts && each.onlyVisibleTo === null);
  const latest = replies.at(-1);
  return latest === undefined ? {} : { thread_ts: ts, reply_count: replies.length, latest_reply: latest.ts };
}

function isWithin(args: Arguments): (message: Message) => boolean {
  const oldest = args.number('oldest') ?? 0;
  if (Number.isNaN(oldest)) throw new Refusal('invalid_ts_oldest');
  return ({ ts }) => Number(ts) > oldest;
}

/** Without `include_all_metadata`, Slack shows only that there is metadata, and its type. */
function historyObject(message: Message, withAllMetadata: boolean): Json {
  if (message.metadata === null) return messageObject(message);
  const metadata = withAllMetadata ? message.metadata : { event_type: message.metadata.event_type };
  return { ...messageObject(message), metadata };
}

function publicMessages(channel: Channel, slack: SlackState): readonly Message[] {
  return slack.messages.in(channel.id).filter((message) => message.onlyVisibleTo === null);
}

function readableChannel(args: Arguments, slack: SlackState): Channel {
  const channel = knownChannel(args.required('channel'), slack);
  if (!isBotIn(channel)) throw new Refusal('not_in_channel');
  return channel;
}
