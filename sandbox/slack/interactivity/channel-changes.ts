import { randomUUID } from 'node:crypto';
import type { BotEvent } from '../events/events.ts';
import type { ChannelChange, Json } from '../page-protocol.ts';
import { BOT, type SeedPerson, TEAM } from '../seed.ts';
import type { Channel, Conversations } from '../state/conversations.ts';
import type { SlackState } from '../state/slack-state.ts';
import { standingOf } from '../state/standing.ts';
import { failed, type Interaction } from './interaction.ts';

const DONE: Interaction = { ok: true, ackMs: 0 };
/** Slack's rule for names. */
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

/** Archives or unarchives a channel for a person, or invites or removes the bot. A subscribed bot gets the event. */
export async function changeChannel(
  person: SeedPerson,
  channel: Channel,
  change: ChannelChange,
  slack: SlackState,
): Promise<Interaction> {
  if (channel.kind === 'direct' || channel.kind === 'group')
    return failed('method_not_supported_for_channel_type', 'This is not a channel.');
  if (channel.isArchived !== (change === 'unarchive')) {
    return channel.isArchived
      ? failed('is_archived', 'This channel is archived.')
      : failed('not_archived', 'This channel is not archived.');
  }
  apply(change, channel, slack.conversations);
  const event = eventOf(change, channel, person);
  if (event !== null) await slack.events.tell({ ...event, channel: channel.id, event_ts: slack.nextTs() });
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

/** Returns the bot's event; null if nothing changes for the bot. `channel` is the state before the change. */
function eventOf(change: ChannelChange, channel: Channel, { id }: SeedPerson): BotEvent | null {
  if (channel.members.includes(BOT.userId) === (change === 'invite-bot')) return null;
  const kind = channel.kind === 'private' ? 'group' : 'channel';
  switch (change) {
    case 'archive':
    case 'unarchive':
      return { type: `${kind}_${change}`, user: id };
    case 'invite-bot':
      return { type: 'member_joined_channel', ...membership(channel, BOT.userId), inviter: id };
    case 'remove-bot':
      return { type: `${kind}_left`, actor_id: id };
  }
}

/** Deactivates an account as an administrator does: it leaves its channels, and its direct message with the bot is closed. */
export async function deactivate(person: SeedPerson, slack: SlackState): Promise<void> {
  const { conversations, people, modals } = slack;
  people.deactivate(person.id);
  modals.clear(person.id);
  for (const channel of conversations.of(person.id)) {
    if (channel.kind === 'direct') conversations.archive(channel);
    else await leave(person, channel, slack);
  }
}

/** Deletes a channel as an administrator does: nobody can find it or its messages, and the bot gets the event if it was in it. */
export async function deleteChannel(channel: Channel, slack: SlackState): Promise<void> {
  slack.conversations.delete(channel);
  if (!channel.members.includes(BOT.userId)) return;
  const kind = channel.kind === 'private' ? 'group' : 'channel';
  await slack.events.tell({ type: `${kind}_deleted`, channel: channel.id, event_ts: slack.nextTs() });
}

async function leave(person: SeedPerson, channel: Channel, slack: SlackState): Promise<void> {
  slack.conversations.remove(channel, person.id);
  if (!channel.members.includes(BOT.userId)) return;
  const left = { type: 'member_left_channel', ...membership(channel, person.id), channel: channel.id };
  await slack.events.tell({ ...left, event_ts: slack.nextTs() });
}

function membership({ kind }: Channel, user: string): Json {
  return { user, channel_type: kind === 'public' ? 'C' : 'G', team: TEAM.id };
}

/** Returns a readable ID, so that a test can use 'C0ALERTS'. */
function newChannelId(name: string, { conversations }: SlackState): string {
  const wanted = `C0${name.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
  return conversations.byId(wanted) === undefined ? wanted : `${wanted}${randomUUID().slice(0, 4).toUpperCase()}`;
}
