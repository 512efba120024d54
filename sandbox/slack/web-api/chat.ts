import { type Arguments, Refusal } from '../arguments.ts';
import { messageObject } from '../block-kit/objects.ts';
import type { Json } from '../page-protocol.ts';
import { BOT } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Draft, Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { acceptContent, acceptMetadata, POSTED_TEXT_LIMIT, UPDATED_TEXT_LIMIT } from '../validate/accept.ts';
import { isBotIn, isHiddenFromBot, publicMessage, writableChannel } from './channels.ts';

/** Returns the requested message for everybody in a channel; refuses it if the bot can't post it. */
function acceptPost(args: Arguments, slack: SlackState): Draft {
  const channel = postableChannel(args, slack);
  const content = acceptContent(args, slack.blockKit);
  const threadTs = acceptThread(args, channel, slack);
  return { ...content, channel: channel.id, threadTs, isBroadcast: args.flag('reply_broadcast'), author: BOT.userId };
}

/** Returns a channel in which the bot can post, by its ID or a person's. */
function postableChannel(args: Arguments, slack: SlackState): Channel {
  const channel = slack.conversations.find(args.required('channel'));
  if (channel === undefined || isHiddenFromBot(channel)) throw new Refusal('channel_not_found');
  if (channel.isArchived) throw new Refusal('is_archived');
  if (!isBotIn(channel)) throw new Refusal('not_in_channel');
  const { messages_tab_enabled: hasMessagesTab } = slack.manifest.features.app_home;
  if (channel.kind === 'direct' && !hasMessagesTab) throw new Refusal('messages_tab_disabled');
  return channel;
}

/** Returns the thread of a requested message; null in the channel. Slack posts a reply to a deleted message in the channel. */
export function acceptThread(args: Arguments, channel: Channel, slack: SlackState): string | null {
  const threadTs = args.text('thread_ts');
  if (threadTs === undefined || slack.messages.wasRemoved(channel.id, threadTs)) return null;
  const parent = slack.messages.find(channel.id, threadTs);
  if (parent === undefined || parent.onlyVisibleTo !== null) throw new Refusal('cannot_reply_to_message');
  return parent.threadTs ?? parent.ts;
}

/** Returns whether an ephemeral message here is shown. Slack accepts one in any thread, but shows it only in a thread with a reply. */
export function showsEphemeral(channel: string, threadTs: string | null, { messages }: SlackState): boolean {
  return (
    threadTs === null || messages.in(channel).some((each) => each.threadTs === threadTs && each.onlyVisibleTo === null)
  );
}

export function postMessage(args: Arguments, slack: SlackState): Json {
  const draft = acceptPost(args, slack);
  const message = slack.messages.post({ ...draft, text: draft.text.slice(0, POSTED_TEXT_LIMIT) });
  return { channel: message.channel, ts: message.ts, message: withMetadata(message) };
}

export function postEphemeral(args: Arguments, slack: SlackState): Json {
  const channel = postableChannel(args, slack);
  const person = args.required('user');
  if (!channel.members.includes(person)) throw new Refusal('user_not_in_channel');
  const content = acceptContent(args, slack.blockKit);
  if (content.text.length > POSTED_TEXT_LIMIT) throw new Refusal('msg_too_long');
  const threadTs = args.text('thread_ts') ?? null;
  if (!showsEphemeral(channel.id, threadTs, slack)) return { message_ts: slack.nextTs() };
  const message = { ...content, channel: channel.id, author: BOT.userId, threadTs, onlyVisibleTo: person };
  return { message_ts: slack.messages.post(message).ts };
}

/** Text without blocks drops the blocks. Without either, both stay, and only metadata changes. Only a change of text shows as edited. */
export function update(args: Arguments, slack: SlackState): Json {
  const message = ownMessage(args, slack, { forOthers: 'cant_update_message', whenArchived: 'is_inactive' });
  const hasContent = ['text', 'blocks', 'attachments'].some((name) => args.has(name));
  const content = hasContent ? acceptContent(args, slack.blockKit) : { ...message, metadata: acceptMetadata(args) };
  if (content.text.length > UPDATED_TEXT_LIMIT) throw new Refusal('msg_too_long');
  const edited = slack.messages.edit(message, {
    ...content,
    metadata: changedMetadata(message, content.metadata),
    edited: message.edited || (hasContent && content.blocks.length === 0),
  });
  return { channel: edited.channel, ts: edited.ts, text: edited.text, message: withMetadata(edited) };
}

export function remove(args: Arguments, slack: SlackState): Json {
  const message = ownMessage(args, slack, { forOthers: 'cant_delete_message', whenArchived: 'is_archived' });
  slack.messages.remove(message);
  return { channel: message.channel, ts: message.ts };
}

/** Returns a message that the bot can change: its own, in an unarchived channel that the bot is in. */
function ownMessage(
  args: Arguments,
  slack: SlackState,
  words: { readonly forOthers: string; readonly whenArchived: string },
): Message {
  const channel = writableChannel(args.required('channel'), slack, words.whenArchived);
  const message = publicMessage(channel, args.required('ts'), slack);
  if (message.author !== BOT.userId) throw new Refusal(words.forOthers);
  return message;
}

/** Omitted metadata stays; an empty object removes it. */
function changedMetadata(message: Message, metadata: Json | null): Json | null {
  if (metadata === null) return message.metadata;
  return Object.keys(metadata).length === 0 ? null : metadata;
}

function withMetadata(message: Message): Json {
  return message.metadata === null ? messageObject(message) : { ...messageObject(message), metadata: message.metadata };
}
