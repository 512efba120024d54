import { Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';

export function isBotIn(channel: Channel): boolean {
  return channel.members.includes(BOT.userId);
}

/** A private channel that the bot is not in does not exist for it. */
export function isHiddenFromBot(channel: Channel): boolean {
  return channel.kind !== 'public' && !isBotIn(channel);
}

/** A conversation by its own id: for where Slack does not take a person's id for their direct messages. */
export function knownChannel(id: string, slack: SlackState): Channel {
  const channel = slack.conversations.byId(id);
  if (channel === undefined || isHiddenFromBot(channel)) throw new Refusal('channel_not_found');
  return channel;
}

/** Ephemeral messages do not exist for an app: neither edited, nor deleted, linked to, or reacted to. */
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

/** The same, where the bot has to be in it and it must not be archived, which methods refuse with different words. */
export function writableChannel(id: string, slack: SlackState, wordForArchived = 'is_archived'): Channel {
  const channel = knownChannel(id, slack);
  if (channel.isArchived) throw new Refusal(wordForArchived);
  if (!isBotIn(channel)) throw new Refusal('not_in_channel');
  return channel;
}
