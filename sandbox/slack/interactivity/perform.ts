import type { PageAct } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { SlackState } from '../state/slack-state.ts';
import { messagesSeenBy, takesMessages } from '../workspace/snapshot.ts';
import { blockAction, chooseMessageShortcut, chooseShortcut, suggest } from './actions.ts';
import { changeChannel, createChannel } from './channel-changes.ts';
import { failed, type Interaction } from './interaction.ts';
import { closeAllViews, closeView, openTab, submitView } from './views.ts';
import { refuseInThread, say, typeCommand } from './writing.ts';

export async function perform(person: SeedPerson, act: PageAct, slack: SlackState): Promise<Interaction> {
  if (!slack.people.isActive(person.id)) return failed('account_inactive', 'This account is deactivated.');
  switch (act.do) {
    case 'command':
      return whereOneWrites(person, act.channel, slack, (channel) =>
        act.threadTs === undefined ? typeCommand({ person, channel, line: act.text }, slack) : refuseInThread(act.text),
      );
    case 'say':
      return whereOneWrites(person, act.channel, slack, (channel) =>
        say({ person, channel, text: act.text, threadTs: act.threadTs }, slack),
      );
    case 'open-tab':
      return openTab(person, act.tab, slack);
    case 'create-channel':
      return createChannel(act.name, slack);
    case 'change-channel':
      return inChannel(person, act.channel, slack, async (channel) => changeChannel(channel, act.change, slack));
    case 'global-shortcut':
      return chooseShortcut(person, act.callbackId, slack);
    case 'message-shortcut':
      return inChannel(person, act.channel, slack, (channel) => shortcutOn(person, channel, act, slack));
    case 'block-action':
      return blockAction(person, act, slack);
    case 'suggest':
      return suggest(person, act, slack);
    case 'submit-view':
      return submitView(person, { viewId: act.viewId, typed: act.state }, slack);
    case 'close-view':
      return closeView(person, act.viewId, slack);
    case 'close-all-views':
      return closeAllViews(person, slack);
  }
}

async function inChannel(
  person: SeedPerson,
  channelId: string,
  slack: SlackState,
  act: (channel: Channel) => Promise<Interaction>,
): Promise<Interaction> {
  const channel = slack.conversations.find(channelId);
  if (!channel?.members.includes(person.id)) return failed('channel_not_found', 'You are not in this channel.');
  return act(channel);
}

async function whereOneWrites(
  person: SeedPerson,
  channelId: string,
  slack: SlackState,
  act: (channel: Channel) => Promise<Interaction>,
): Promise<Interaction> {
  return inChannel(person, channelId, slack, async (channel) => {
    if (channel.isArchived) return failed('is_archived', 'This channel is archived.');
    if (!takesMessages(channel, slack)) {
      return failed('messages_tab_read_only', 'Sending messages to this app has been turned off.');
    }
    return act(channel);
  });
}

async function shortcutOn(
  person: SeedPerson,
  channel: Channel,
  { ts, callbackId }: { ts: string; callbackId: string },
  slack: SlackState,
): Promise<Interaction> {
  const message = messagesSeenBy(person, channel.id, slack).find((each) => each.ts === ts);
  if (message === undefined) return failed('message_not_found', 'This message is gone.');
  return chooseMessageShortcut({ person, callbackId, channel, message }, slack);
}
