import type { Arguments } from '../arguments.ts';
import { Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Draft } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { acceptContent } from '../validate/accept.ts';
import { isBotIn, isHiddenFromBot } from './known-channel.ts';

/** Returns the requested message for everybody in a channel; refuses it if the bot can't post it. */
export function acceptPost(args: Arguments, slack: SlackState): Draft {
  const channel = postableChannel(args, slack);
  const content = acceptContent(args, slack.blockKit);
  const threadTs = acceptThread(args, channel, slack);
  return { ...content, channel: channel.id, threadTs, author: BOT.userId };
}

/** Returns a channel in which the bot can post, by its ID or a person's. */
export function postableChannel(args: Arguments, slack: SlackState): Channel {
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
