import { type Arguments, Refusal } from '../arguments.ts';
import { messageObject } from '../block-kit/objects.ts';
import type { Json } from '../page-protocol.ts';
import type { ReplyTarget } from '../response-urls.ts';
import { BOT } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';
import { POSTED_TEXT_LIMIT, UPDATED_TEXT_LIMIT } from '../validate/block-kit.ts';
import { isHiddenFromBot, writableChannel } from './conversations.ts';

function postableChannel(args: Arguments, slack: SlackState): Channel {
  const channel = slack.channelOrDirect(args.required('channel'));
  if (channel === undefined || isHiddenFromBot(channel)) throw new Refusal('channel_not_found');
  if (channel.isArchived) throw new Refusal('is_archived');
  if (!channel.members.includes(BOT.userId)) throw new Refusal('not_in_channel');
  slack.checkDirectMessages(channel);
  return channel;
}

/** Returns the thread to post in, or null for the channel, where Slack also posts a reply to a deleted message. */
export function acceptThread(args: Arguments, channel: Channel, slack: SlackState): string | null {
  const threadTs = args.text('thread_ts');
  if (threadTs === undefined || slack.wasRemoved(channel.id, threadTs)) return null;
  const parent = slack.message(channel.id, threadTs);
  if (parent === undefined || parent.onlyVisibleTo !== null) throw new Refusal('cannot_reply_to_message');
  if (slack.isLocked(parent)) throw new Refusal('restricted_action_thread_locked');
  return parent.threadTs ?? parent.ts;
}

/** Returns whether an ephemeral message here is shown. Slack accepts one in any thread, but shows it only in a thread with a reply. */
function showsEphemeral(channel: string, threadTs: string | null, slack: SlackState): boolean {
  const isReply = (each: Message) => each.threadTs === threadTs && each.onlyVisibleTo === null;
  return threadTs === null || slack.messagesIn(channel).some(isReply);
}

export function postMessage(args: Arguments, slack: SlackState): Json {
  const channel = postableChannel(args, slack);
  const { text, ...content } = slack.blockKit.acceptContent(args);
  const message = slack.post({
    ...content,
    text: text.slice(0, POSTED_TEXT_LIMIT),
    channel: channel.id,
    author: BOT.userId,
    threadTs: acceptThread(args, channel, slack),
    isBroadcast: args.flag('reply_broadcast'),
  });
  return { channel: message.channel, ts: message.ts, message: withMetadata(message) };
}

export function postEphemeral(args: Arguments, slack: SlackState): Json {
  const channel = postableChannel(args, slack);
  const onlyVisibleTo = slack.person(args.required('user'))?.id ?? '';
  if (!channel.members.includes(onlyVisibleTo)) throw new Refusal('user_not_in_channel');
  const content = slack.blockKit.acceptContent(args);
  if (content.text.length > POSTED_TEXT_LIMIT) throw new Refusal('msg_too_long');
  const threadTs = args.text('thread_ts') ?? null;
  if (!showsEphemeral(channel.id, threadTs, slack)) return { message_ts: slack.nextTs() };
  const message = { ...content, channel: channel.id, author: BOT.userId, threadTs, onlyVisibleTo };
  return { message_ts: slack.post(message).ts };
}

/** As in Slack, text without blocks removes the blocks, and omitted metadata stays. */
export function update(args: Arguments, slack: SlackState): Json {
  const channel = writableChannel(args.required('channel'), slack, 'is_inactive');
  const message = ownMessage(channel, args.required('ts'), slack);
  if (message.onlyVisibleTo !== null) throw new Refusal('message_not_found');
  const { text, blocks, metadata } = slack.blockKit.acceptContent(args);
  if (text.length > UPDATED_TEXT_LIMIT) throw new Refusal('msg_too_long');
  const edited = slack.edit(message, {
    text,
    blocks,
    metadata: metadata ?? message.metadata,
    edited: message.edited || blocks.length === 0,
  });
  return { channel: edited.channel, ts: edited.ts, text, message: withMetadata(edited) };
}

export function remove(args: Arguments, slack: SlackState): Json {
  const channel = writableChannel(args.required('channel'), slack, 'is_archived');
  const message = ownMessage(channel, args.required('ts'), slack, 'cant_delete_message');
  slack.remove(message);
  return { channel: message.channel, ts: message.ts };
}

/** Carries out what a bot sends to a response_url. The bot needn't be in the channel. */
export function respond(args: Arguments, { person, channel: id, sourceTs }: ReplyTarget, slack: SlackState): void {
  const channel = slack.channel(id);
  if (channel === undefined) throw new Refusal('channel_not_found');
  if (channel.isArchived) throw new Refusal('is_archived');
  if (args.flag('replace_original') && sourceTs !== null) {
    const message = ownMessage(channel, sourceTs, slack);
    const content = slack.blockKit.acceptContent(args);
    slack.edit(message, { ...content, metadata: content.metadata ?? message.metadata });
    return;
  }
  const content = slack.blockKit.acceptContent(args);
  const threadTs = acceptThread(args, channel, slack);
  const onlyVisibleTo = args.text('response_type') === 'in_channel' ? null : person;
  if (onlyVisibleTo !== null && !showsEphemeral(id, threadTs, slack)) return;
  slack.post({ ...content, channel: id, author: BOT.userId, threadTs, onlyVisibleTo });
}

function ownMessage({ id }: Channel, ts: string, slack: SlackState, refusal = 'cant_update_message'): Message {
  const message = slack.message(id, ts);
  if (message === undefined) throw new Refusal('message_not_found');
  if (message.author !== BOT.userId) throw new Refusal(refusal);
  return message;
}

function withMetadata(message: Message): Json {
  return message.metadata === null ? messageObject(message) : { ...messageObject(message), metadata: message.metadata };
}
