import { BOT, type SeedPerson } from '../seed.ts';
import type { Channel } from './conversations.ts';
import type { File } from './files.ts';
import type { Message } from './messages.ts';
import type { SlackState } from './slack-state.ts';

/** Returns the messages in a channel that a person sees, oldest first: in the person's channels, without others' ephemeral ones. */
export function messagesSeenBy(person: SeedPerson, channelId: string, slack: SlackState): readonly Message[] {
  const channel = slack.conversations.find(channelId);
  if (!channel?.members.includes(person.id)) return [];
  const isSeen = ({ onlyVisibleTo }: Message) => onlyVisibleTo === null || onlyVisibleTo === person.id;
  return slack.messages.in(channel.id).filter(isSeen);
}

/** Returns a file and its bytes for a person who sees it in a message. */
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

/** Returns false for a direct message that is read-only by the app's manifest. */
export function takesMessages({ kind, members }: Channel, { manifest }: Pick<SlackState, 'manifest'>): boolean {
  const { messages_tab_enabled: isOpen, messages_tab_read_only_enabled: isReadOnly } = manifest.features.app_home;
  return kind !== 'direct' || !members.includes(BOT.userId) || (isOpen && !isReadOnly);
}
