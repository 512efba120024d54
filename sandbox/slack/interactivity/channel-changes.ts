import { randomUUID } from 'node:crypto';
import type { ChannelChange } from '../page-protocol.ts';
import { BOT, type SeedPerson } from '../seed.ts';
import type { Channel, Conversations } from '../state/conversations.ts';
import { standingOf } from '../state/people.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';

const DONE: Interaction = { ok: true, ackMs: 0 };
const NAME = /^[\p{Ll}\p{Lo}\p{N}_-]{1,80}$/u;

/**
 * Creates a public channel with every member of the workspace in it. Guests, people of other organizations and the bot have to be invited.
 */
export function createChannel(name: string, slack: SlackState): Interaction {
  if (!NAME.test(name)) return failed('invalid_name', 'Names are in lower case, without spaces or periods.');
  if (slack.conversations.named(name) !== undefined) return failed('name_taken', `There is a channel #${name}.`);
  const isIn = (each: SeedPerson) => standingOf(each) === 'member' && slack.people.isActive(each.id);
  const members = slack.people.all.filter(isIn).map(({ id }) => id);
  slack.conversations.add({ id: newChannelId(name, slack), name, members });
  return DONE;
}

export function changeChannel(channel: Channel, change: ChannelChange, slack: SlackState): Interaction {
  if (channel.kind === 'direct' || channel.kind === 'group')
    return failed('method_not_supported_for_channel_type', 'This is not a channel.');
  if (channel.isArchived !== (change === 'unarchive')) {
    return channel.isArchived
      ? failed('is_archived', 'This channel is archived.')
      : failed('not_archived', 'This channel is not archived.');
  }
  apply(change, channel, slack.conversations);
  return DONE;
}

function apply(change: ChannelChange, channel: Channel, conversations: Conversations): Channel {
  switch (change) {
    case 'archive':
      return conversations.archive(channel);
    case 'unarchive':
      return conversations.unarchive(channel);
    case 'invite-bot':
      return conversations.admit(channel, BOT.userId);
    case 'remove-bot':
      return conversations.remove(channel, BOT.userId);
  }
}

/** Deactivates an account as an administrator does: it leaves its channels, and its direct message with the bot is closed. */
export function deactivate(person: SeedPerson, slack: SlackState): void {
  const { conversations, people, modals } = slack;
  people.deactivate(person.id);
  modals.clear(person.id);
  for (const channel of conversations.of(person.id)) {
    if (channel.kind === 'direct') conversations.archive(channel);
    else conversations.remove(channel, person.id);
  }
}

/** Returns a readable ID, so that a test can use 'C0ALERTS'. */
function newChannelId(name: string, { conversations }: SlackState): string {
  const wanted = `C0${name.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
  return conversations.byId(wanted) === undefined ? wanted : `${wanted}${randomUUID().slice(0, 4).toUpperCase()}`;
}
