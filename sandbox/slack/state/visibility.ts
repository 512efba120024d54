import { BOT, type SeedPerson } from '../seed.ts';
import type { Channel } from './conversations.ts';
import type { File } from './files.ts';
import type { Message } from './messages.ts';
import type { SlackState } from './slack-state.ts';

/** The messages in a channel that a person sees, oldest first: in channels of theirs, without others' ephemeral ones. */
export function messagesSeenBy(person: SeedPerson, channelId: string, slack: SlackState): readonly Message[] {
  const channel = slack.conversations.find(channelId);
  if (!channel?.members.includes(person.id)) return [];
  const isSeen = ({ onlyVisibleTo }: Message) => onlyVisibleTo === null || onlyVisibleTo === person.id;
  return slack.messages.in(channel.id).filter(isSeen);
}

/** A file and its bytes, for a person who sees it in some message. */
export function fileSeenBy(
  person: SeedPerson,
  fileId: string,
  slack: SlackState,
): { file: File; content: Buffer } | undefined {
  const channels = slack.conversations.of(person.id);
  const seen = channels.flatMap(({ id }) => messagesSeenBy(person, id, slack).flatMap(({ files }) => files));
  const file = seen.find(({ id }) => id === fileId);
  const content = slack.files.contentOf(fileId);
  return file && content && { file, content };
}

/** False for a direct message with the app in which the app's manifest lets nobody write. */
export function takesMessages({ kind, members }: Channel, { manifest }: Pick<SlackState, 'manifest'>): boolean {
  const { messages_tab_enabled: isOpen, messages_tab_read_only_enabled: isReadOnly } = manifest.features.app_home;
  return kind !== 'direct' || !members.includes(BOT.userId) || (isOpen && !isReadOnly);
}
