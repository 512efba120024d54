import { textsIn } from '../block-kit/controls.ts';
import type { Conversation, OpenView, Person, PostedMessage, Snapshot } from '../page-protocol.ts';
import { BOT, type SeedPerson, standingOf } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';
import type { File } from '../uploads.ts';
import type { View } from '../views.ts';

export function messagesSeenBy(person: SeedPerson, channelId: string, slack: SlackState): readonly Message[] {
  const channel = slack.channelOrDirect(channelId);
  if (!channel?.members.includes(person.id)) return [];
  const isSeen = ({ onlyVisibleTo }: Message) => onlyVisibleTo === null || onlyVisibleTo === person.id;
  return slack.messagesIn(channel.id).filter(isSeen);
}

export function fileSeenBy(
  person: SeedPerson,
  fileId: string,
  slack: SlackState,
): { file: File; content: Buffer } | undefined {
  const channels = slack.channelsOf(person.id);
  const seen = channels.flatMap(({ id }) => messagesSeenBy(person, id, slack).flatMap(({ files }) => files));
  const file = seen.find(({ id }) => id === fileId);
  const content = slack.uploads.contentOf(fileId);
  return file && content && { file, content };
}

/** A sandbox can run for days, so the page shows only the newest messages of a conversation. */
const SHOWN = 300;

export function snapshotFor(person: SeedPerson, slack: SlackState): Snapshot {
  return {
    me: { ...toPerson(person), timeZone: person.timeZone ?? 'UTC' },
    people: [...slack.people.map(toPerson), bot(slack)],
    userGroups: slack.userGroups.map(({ id, handle }) => ({ id, handle })),
    conversations: slack.channelsOf(person.id).map((channel) => toConversation(channel, person, slack)),
    views: openViews(person, slack),
    home: homeOf(person, slack),
    shortcuts: slack.manifest.features.shortcuts.map(({ name, callback_id: callbackId, type }) => {
      return { name, callbackId, type };
    }),
    botConnected: slack.bot.isOpen,
  };
}

export function openViews(person: SeedPerson, slack: SlackState): readonly OpenView[] {
  return slack.views.stack(person.id).map(toOpenView);
}

export function homeOf(person: SeedPerson, slack: SlackState): OpenView | null {
  const home = slack.views.home(person.id);
  return home === undefined ? null : toOpenView(home);
}

const toOpenView = ({ id, view, starts, errors }: View): OpenView => ({ id, view, starts, errors });

export function visibleMessages(channelId: string, person: SeedPerson, slack: SlackState): readonly PostedMessage[] {
  return messagesSeenBy(person, channelId, slack).map((message) => toPosted(message, person));
}

function toConversation(channel: Channel, person: SeedPerson, slack: SlackState): Conversation {
  const isDirect = channel.kind === 'direct';
  const isWithBot = channel.members.includes(BOT.userId);
  return {
    id: channel.id,
    kind: isDirect ? 'direct' : 'channel',
    name: isDirect && isWithBot ? bot(slack).name : channel.name,
    isArchived: channel.isArchived,
    messages: visibleMessages(channel.id, person, slack).slice(-SHOWN),
  };
}

function toPosted(message: Message, person: SeedPerson): PostedMessage {
  const { ts, author, text, blocks, onlyVisibleTo, threadTs, isBroadcast, files, edited } = message;
  const mentionsMe = message.mentions.includes(person.id);
  return { ts, author, text, blocks, onlyVisibleTo, threadTs, isBroadcast, files, mentionsMe, edited };
}

function toPerson(person: SeedPerson): Person {
  return { id: person.id, name: person.name, isBot: false, standing: standingOf(person) };
}

function bot(slack: SlackState): Person {
  return { id: BOT.userId, name: slack.manifest.display_information.name, isBot: true, standing: 'member' };
}

export function rawTextsOf(shown: MessageWords | OpenView): string {
  const texts =
    'view' in shown
      ? [shown.view]
      : [{ text: shown.text }, shown.blocks, shown.files.map(({ name }) => ({ text: name }))];
  return textsIn(texts).join('\n');
}

export type MessageWords = Pick<PostedMessage, 'text' | 'blocks' | 'files'>;
