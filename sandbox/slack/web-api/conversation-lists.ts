import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { BOT, TEAM } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { SlackState } from '../state/slack-state.ts';
import { channelObject } from './channel-object.ts';
import { isBotIn, isHiddenFromBot, knownChannel } from './known-channel.ts';
import { pageOf } from './paging.ts';

/** Slack's types of conversations, with the scope for listing each. */
const TYPES: Readonly<Record<string, { readonly kind: Channel['kind']; readonly scope: string }>> = {
  public_channel: { kind: 'public', scope: 'channels:read' },
  private_channel: { kind: 'private', scope: 'groups:read' },
  im: { kind: 'direct', scope: 'im:read' },
  mpim: { kind: 'group', scope: 'mpim:read' },
};

/** conversations.list: the conversations that the bot can see, public channels unless `types` has others. */
export function list(args: Arguments, slack: SlackState): Json {
  return pageOfChannels(
    slack.conversations.all.filter((channel) => !isHiddenFromBot(channel)),
    args,
    slack,
  );
}

/** users.conversations: those of the bot or another `user`. */
export function conversationsOf(args: Arguments, slack: SlackState): Json {
  const user = args.text('user') ?? BOT.userId;
  if (user !== BOT.userId && slack.people.find(user) === undefined) throw new Refusal('user_not_found');
  return pageOfChannels(
    slack.conversations.of(user).filter((channel) => !isHiddenFromBot(channel)),
    args,
    slack,
  );
}

/** conversations.join: joins a public channel. If the bot is already in it, Slack warns and doesn't refuse. */
export function join(args: Arguments, slack: SlackState): Json {
  const channel = knownChannel(args.required('channel'), slack);
  if (channel.kind !== 'public') throw new Refusal('method_not_supported_for_channel_type');
  if (channel.isArchived) throw new Refusal('is_archived');
  const warning = 'already_in_channel';
  if (isBotIn(channel)) {
    return { channel: channelObject(channel, slack), warning, response_metadata: { warnings: [warning] } };
  }
  const joined = slack.conversations.admit(channel, BOT.userId);
  const membership = { user: BOT.userId, channel: channel.id, channel_type: 'C', team: TEAM.id };
  // The answer doesn't wait for the event; `events` handles its delivery.
  void slack.events.tell({ type: 'member_joined_channel', ...membership, event_ts: slack.nextTs() });
  return { channel: channelObject(joined, slack) };
}

/** Returns the scope for a list: of the wanted types, the first whose scope the bot lacks. */
export function scopeForTypes(args: Arguments, slack: SlackState): string {
  const scopes = typesIn(args).flatMap((type) => TYPES[type]?.scope ?? []);
  return scopes.find((scope) => !slack.grants.has(scope)) ?? scopes[0] ?? 'channels:read';
}

function pageOfChannels(channels: readonly Channel[], args: Arguments, slack: SlackState): Json {
  const types = typesIn(args);
  if (types.some((type) => TYPES[type] === undefined)) throw new Refusal('invalid_types');
  const kinds = types.map((type) => TYPES[type]?.kind);
  const wanted = channels.filter(
    ({ kind, isArchived }) => kinds.includes(kind) && !(isArchived && args.flag('exclude_archived')),
  );
  const { items, fields } = pageOf(wanted, args, ({ id }) => id);
  return { ...fields, channels: items.map((channel) => channelObject(channel, slack)) };
}

function typesIn(args: Arguments): readonly string[] {
  return (args.text('types') ?? 'public_channel').split(',').map((type) => type.trim());
}
