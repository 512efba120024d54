import { sendEvent } from '../bot/events.ts';
import type { PageAct, Tab } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { Channel, SlackState } from '../state.ts';
import { messagesSeenBy } from '../workspace/snapshot.ts';
import { blockAction, chooseMessageShortcut, chooseShortcut, suggest } from './actions.ts';
import { DONE, failed, type Outcome } from './interaction.ts';
import { submitView } from './submission.ts';
import { invite, say, typeCommand } from './writing.ts';

export async function carryOut(person: SeedPerson, act: PageAct, slack: SlackState): Promise<Outcome> {
  if (!slack.isActive(person.id)) return failed('account_inactive', 'This account is deactivated.');
  switch (act.do) {
    case 'open-tab':
      return openTab(person, act.tab, slack);
    case 'global-shortcut':
      return chooseShortcut(person, act.callbackId, slack);
    case 'block-action':
      return blockAction(person, act, slack);
    case 'suggest':
      return suggest(person, act, slack);
    case 'submit-view':
      return submitView(person, act.viewId, act.state, slack);
    case 'close-view':
      if (slack.views.modal(act.viewId)?.person !== person.id)
        return failed('view_not_found', 'This window is closed already.');
      slack.views.close(person.id, act.viewId);
      return DONE;
    case 'close-all-views':
      slack.views.closeAll(person.id);
      return DONE;
    default: {
      const channel = slack.channelOrDirect(act.channel);
      if (!channel?.members.includes(person.id)) return failed('channel_not_found', 'You are not in this channel.');
      return carryOutIn(channel, person, act, slack);
    }
  }
}

type ActInChannel = Extract<PageAct, { do: 'command' | 'say' | 'message-shortcut' }>;

async function carryOutIn(
  channel: Channel,
  person: SeedPerson,
  act: ActInChannel,
  slack: SlackState,
): Promise<Outcome> {
  if (act.do === 'message-shortcut') {
    const message = messagesSeenBy(person, channel.id, slack).find(({ ts }) => ts === act.ts);
    if (message === undefined) return failed('message_not_found', 'This message is gone.');
    return chooseMessageShortcut(person, act.callbackId, channel, message, slack);
  }
  if (channel.isArchived) return failed('is_archived', 'This channel is archived.');
  const { text, threadTs } = act;
  if (act.do === 'say') return say(person, channel, text, threadTs, slack);
  if (threadTs !== undefined)
    return failed('not_supported_in_threads', `${text.split(' ')[0]} is not supported in threads. Sorry!`);
  return text.startsWith('/invite ') ? invite(channel, text, slack) : typeCommand(person, channel, text, slack);
}

async function openTab(person: SeedPerson, tab: Tab, slack: SlackState): Promise<Outcome> {
  const channel = slack.channelOrDirect(person.id)?.id;
  await sendEvent({ type: 'app_home_opened', user: person.id, channel, tab, event_ts: slack.nextTs() }, slack);
  return DONE;
}
