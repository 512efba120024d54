import type { Arguments } from '../arguments.ts';
import { Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { SlackState } from '../state/slack-state.ts';

export function isBotIn(channel: Channel): boolean {
  return channel.members.includes(BOT.userId);
}

/** A private channel that the bot is not in does not exist for it. */
export function isHiddenFromBot(channel: Channel): boolean {
  return channel.kind !== 'public' && !isBotIn(channel);
}

/** The conversation that `channel` names by its own id: where Slack does not take a person's id for their direct messages. */
export function knownChannel(args: Arguments, slack: SlackState): Channel {
  const channel = slack.conversations.byId(args.required('channel'));
  if (channel === undefined || isHiddenFromBot(channel)) throw new Refusal('channel_not_found');
  return channel;
}
