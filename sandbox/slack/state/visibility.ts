import type { SeedPerson } from '../seed.ts';
import type { Message } from './messages.ts';
import type { SlackState } from './slack-state.ts';

/** The messages in a channel that a person sees, oldest first: in channels of theirs, without others' ephemeral ones. */
export function messagesSeenBy(person: SeedPerson, channelId: string, slack: SlackState): readonly Message[] {
  const channel = slack.conversations.find(channelId);
  if (!channel?.members.includes(person.id)) return [];
  const isSeen = ({ onlyVisibleTo }: Message) => onlyVisibleTo === null || onlyVisibleTo === person.id;
  return slack.messages.in(channel.id).filter(isSeen);
}
