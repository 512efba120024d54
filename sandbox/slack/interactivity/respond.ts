import type { Arguments } from '../arguments.ts';
import { Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { ReplyTarget } from '../state/response-urls.ts';
import type { SlackState } from '../state/slack-state.ts';
import { acceptContent } from '../validate/message.ts';

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
  slack.messages.post({
    ...acceptContent(args, slack.blockKit),
    channel: target.channel,
    author: BOT.userId,
    threadTs: args.text('thread_ts') ?? null,
    onlyVisibleTo: args.text('response_type') === 'in_channel' ? null : target.person,
  });
}

function deleteOriginal(target: ReplyTarget, slack: SlackState): void {
  if (target.sourceTs !== null) slack.messages.remove(original(target, slack));
}

/** Replaces the original. It keeps its audience: an ephemeral message can't be made visible to others. */
function replaceOriginal(args: Arguments, target: ReplyTarget, slack: SlackState): void {
  const message = original(target, slack);
  const content = acceptContent(args, slack.blockKit);
  slack.messages.edit(message, { ...content, metadata: content.metadata ?? message.metadata });
}

function original(target: ReplyTarget, slack: SlackState) {
  const message = slack.messages.find(target.channel, target.sourceTs ?? '');
  if (message === undefined) throw new Refusal('message_not_found');
  return message;
}
