import type { Conversation, OpenView, Person, PostedMessage, Snapshot } from '../page-protocol.ts';
import { BOT, type SeedPerson } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { standingOf } from '../state/standing.ts';
import { messagesSeenBy, takesMessages } from '../state/visibility.ts';

/** A sandbox can run for days, so the page shows only the newest messages of a conversation, each with its replies. */
const SHOWN = 300;

/** Returns everything that one person sees of the workspace at this moment. */
export function snapshotFor(person: SeedPerson, slack: SlackState): Snapshot {
  return {
    me: { ...toPerson(person), timeZone: person.timeZone ?? 'UTC' },
    people: [...slack.people.all.map(toPerson), bot(slack)],
    userGroups: slack.userGroups.map(({ id, handle }) => ({ id, handle })),
    conversations: slack.conversations.of(person.id).map((channel) => toConversation(channel, person, slack)),
    views: openViews(person, slack),
    home: homeOf(person, slack),
    hasHome: slack.manifest.features.app_home.home_tab_enabled,
    commands: slack.manifest.features.slash_commands.map(({ command, description, usage_hint: usageHint }) => ({
      command,
      description,
      usageHint,
    })),
    shortcuts: slack.manifest.features.shortcuts.map(({ name, callback_id: callbackId, type }) => ({
      name,
      callbackId,
      type,
    })),
    botConnected: slack.bot.isOpen,
  };
}

/** Returns the person's modal stack, the top one last. */
export function openViews(person: SeedPerson, slack: SlackState): readonly OpenView[] {
  return slack.modals.stack(person.id).map(({ id, view, starts, errors }) => ({ id, view, starts, errors }));
}

/** Returns the person's Home tab; null until the bot has published one. */
export function homeOf(person: SeedPerson, slack: SlackState): OpenView | null {
  const home = slack.homes.of(person.id);
  return home === undefined ? null : { id: home.id, view: home.view, starts: home.starts, errors: {} };
}

/** Returns the messages in a channel that the person sees, oldest first; none in a channel that the person isn't in. */
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
    takesMessages: takesMessages(channel, slack),
    hasBot: isWithBot,
    messages: newest(visibleMessages(channel.id, person, slack)),
  };
}

/** Returns the newest messages that are no replies, and every reply to them or to one that isn't visible. */
function newest(messages: readonly PostedMessage[]): readonly PostedMessage[] {
  const visible = new Set(messages.map(({ ts }) => ts));
  const rootOf = ({ ts, threadTs }: PostedMessage) => (threadTs !== null && visible.has(threadTs) ? threadTs : ts);
  const roots = new Set(
    messages
      .filter((message) => rootOf(message) === message.ts)
      .slice(-SHOWN)
      .map(({ ts }) => ts),
  );
  return messages.filter((message) => roots.has(rootOf(message)));
}

function toPosted(message: Message, person: SeedPerson): PostedMessage {
  const { ts, author, text, blocks, onlyVisibleTo, threadTs, files, edited, edits } = message;
  const mentionsMe = message.mentions.includes(person.id);
  return { ts, author, text, blocks, onlyVisibleTo, threadTs, files, mentionsMe, edited, edits };
}

function toPerson(person: SeedPerson): Person {
  return { id: person.id, name: person.name, isBot: false, standing: standingOf(person) };
}

function bot(slack: SlackState): Person {
  return { id: BOT.userId, name: slack.manifest.display_information.name, isBot: true, standing: 'member' };
}
