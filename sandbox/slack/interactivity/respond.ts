import type { Arguments } from '../arguments.ts';
import { Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { ReplyTarget } from '../state/response-urls.ts';
import type { SlackState } from '../state/slack-state.ts';
import { acceptContent } from '../validate/accept.ts';
import { acceptThread, showsEphemeral } from '../web-api/posting.ts';

/**
 * Carries out what a bot sends to a response_url or in the acknowledgment of a slash command: a message to only that person unless it has
 * `in_channel`, or a change of the original message. A command's own line can't be changed.
 */
export function respond(args: Arguments, target: ReplyTarget, slack: SlackState): void {
  if (args.flag('delete_original')) deleteOriginal(target, slack);
  else if (args.flag('replace_original') && target.sourceTs !== null) replaceOriginal(args, target, slack);
  else postResponse(args, target, slack);
}

function postResponse(args: Arguments, target: ReplyTarget, slack: SlackState): void {
  const channel = openChannel(target, slack);
  const content = acceptContent(args, slack.blockKit);
  const threadTs = acceptThread(args, channel, slack);
  const onlyVisibleTo = args.text('response_type') === 'in_channel' ? null : target.person;
  if (onlyVisibleTo !== null && !showsEphemeral(channel.id, threadTs, slack)) return;
  slack.messages.post({ ...content, channel: channel.id, author: BOT.userId, threadTs, onlyVisibleTo });
}

/** Returns the channel. The bot needn't be in it. */
function openChannel(target: ReplyTarget, slack: SlackState): Channel {
  const channel = slack.conversations.byId(target.channel);
  if (channel === undefined) throw new Refusal('channel_not_found');
  if (channel.isArchived) throw new Refusal('is_archived');
  return channel;
}

function deleteOriginal(target: ReplyTarget, slack: SlackState): void {
  if (target.sourceTs !== null) slack.messages.remove(ownOriginal(target, 'cant_delete_message', slack));
}

/** Replaces the original. It keeps its audience: an ephemeral message can't be made visible to others. */
function replaceOriginal(args: Arguments, target: ReplyTarget, slack: SlackState): void {
  const message = ownOriginal(target, 'cant_update_message', slack);
  const content = acceptContent(args, slack.blockKit);
  slack.messages.edit(message, { ...content, metadata: content.metadata ?? message.metadata });
}

/** Returns the bot's message that was acted on. A message shortcut can be chosen on anybody's. */
function ownOriginal(target: ReplyTarget, wordForOthers: string, slack: SlackState): Message {
  const message = slack.messages.find(openChannel(target, slack).id, target.sourceTs ?? '');
  if (message === undefined) throw new Refusal('message_not_found');
  if (message.author !== BOT.userId) throw new Refusal(wordForOthers);
  return message;
}
