import { randomUUID } from 'node:crypto';
import type { ChannelChange, PageAct, Tab } from '../page-protocol.ts';
import { BOT, type SeedPerson, standingOf } from '../seed.ts';
import type { Channel, SlackState } from '../state.ts';
import { messagesSeenBy } from '../workspace/snapshot.ts';
import { blockAction, chooseMessageShortcut, chooseShortcut, suggest } from './actions.ts';
import { DONE, failed, type Interaction } from './interaction.ts';
import { submitView } from './submission.ts';
import { invite, say, typeCommand } from './writing.ts';

export async function perform(person: SeedPerson, act: PageAct, slack: SlackState): Promise<Interaction> {
  if (!slack.isActive(person.id)) return failed('account_inactive', 'This account is deactivated.');
  switch (act.do) {
    case 'open-tab':
      return openTab(person, act.tab, slack);
    case 'create-channel':
      return createChannel(act.name, slack);
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
      slack.views.close(person.id);
      return DONE;
    default: {
      const channel = slack.channelOrDirect(act.channel);
      if (!channel?.members.includes(person.id)) return failed('channel_not_found', 'You are not in this channel.');
      return performIn(channel, person, act, slack);
    }
  }
}

type ActInChannel = Extract<PageAct, { do: 'command' | 'say' | 'change-channel' | 'message-shortcut' }>;

async function performIn(
  channel: Channel,
  person: SeedPerson,
  act: ActInChannel,
  slack: SlackState,
): Promise<Interaction> {
  if (act.do === 'change-channel') return changeChannel(channel, act.change, slack);
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

async function openTab(person: SeedPerson, tab: Tab, slack: SlackState): Promise<Interaction> {
  const channel = slack.channelOrDirect(person.id)?.id;
  await slack.events.tell({ type: 'app_home_opened', user: person.id, channel, tab, event_ts: slack.nextTs() });
  return DONE;
}

const NAME = /^[\p{Ll}\p{Lo}\p{N}_-]{1,80}$/u;

/** Creates a public channel with every member of the workspace, without guests and the bot. 'alerts' becomes C0ALERTS. */
function createChannel(name: string, slack: SlackState): Interaction {
  if (!NAME.test(name)) return failed('invalid_name', 'Names are in lower case, without spaces or periods.');
  if (slack.channelNamed(name) !== undefined) return failed('name_taken', `There is a channel #${name}.`);
  const members = slack.people.filter((each) => standingOf(each) === 'member' && slack.isActive(each.id));
  const wanted = `C0${name.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
  const id = slack.channel(wanted) === undefined ? wanted : `${wanted}${randomUUID().slice(0, 4).toUpperCase()}`;
  slack.putChannel({ id, name, members: members.map((each) => each.id) });
  return DONE;
}

function changeChannel(channel: Channel, change: ChannelChange, slack: SlackState): Interaction {
  const { kind, isArchived } = channel;
  if (kind === 'direct' || kind === 'group')
    return failed('method_not_supported_for_channel_type', 'This is not a channel.');
  if (isArchived && change !== 'unarchive') return failed('is_archived', 'This channel is archived.');
  if (!isArchived && change === 'unarchive') return failed('not_archived', 'This channel is not archived.');
  if (change === 'invite-bot') slack.admit(channel, BOT.userId);
  else if (change === 'remove-bot') slack.expel(channel, BOT.userId);
  else slack.putChannel({ ...channel, isArchived: change === 'archive' });
  return DONE;
}
