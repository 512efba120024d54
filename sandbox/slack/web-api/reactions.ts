import type { Arguments } from '../arguments.ts';
import { messageObject } from '../block-kit/message-object.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { Message, Reaction } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { publicMessage, writableChannel } from './known-channel.ts';

const NAME = /^[\p{Ll}\p{Lo}\p{N}_+'-]+(?:::skin-tone-[2-6])?$/u;
/** The number of different reactions that one person can add to a message. */
const MAX_PER_PERSON = 23;

/** reactions.add */
export function addReaction(args: Arguments, slack: SlackState): Json {
  const name = acceptName(args);
  const message = reactedMessage(args, slack);
  const own = message.reactions.filter(({ users }) => users.includes(BOT.userId));
  if (own.some((each) => each.name === name)) throw new Refusal('already_reacted');
  if (own.length >= MAX_PER_PERSON) throw new Refusal('too_many_reactions');
  slack.messages.react(message, withReaction(message.reactions, name));
  return {};
}

/** reactions.remove: removes the bot's own. */
export function removeReaction(args: Arguments, slack: SlackState): Json {
  const name = acceptName(args);
  const message = reactedMessage(args, slack);
  const others = message.reactions.flatMap((each) => (each.name === name ? withoutBot(each) : [each]));
  if (!message.reactions.some((each) => each.name === name && each.users.includes(BOT.userId))) {
    throw new Refusal('no_reaction');
  }
  slack.messages.react(message, others);
  return {};
}

/** reactions.get */
export function getReactions(args: Arguments, slack: SlackState): Json {
  const message = reactedMessage(args, slack);
  return { type: 'message', channel: message.channel, message: messageObject(message) };
}

/** Slack also accepts the name with colons. */
function acceptName(args: Arguments): string {
  const name = args.required('name').replace(/^:(.*):$/, '$1');
  if (!NAME.test(name)) throw new Refusal('invalid_name');
  return name;
}

function reactedMessage(args: Arguments, slack: SlackState): Message {
  if (!args.has('channel') || !args.has('timestamp')) throw new Refusal('no_item_specified');
  return publicMessage(writableChannel(args.required('channel'), slack), args.required('timestamp'), slack);
}

function withReaction(reactions: readonly Reaction[], name: string): readonly Reaction[] {
  if (!reactions.some((each) => each.name === name)) return [...reactions, { name, users: [BOT.userId] }];
  return reactions.map((each) => (each.name === name ? { name, users: [...each.users, BOT.userId] } : each));
}

function withoutBot({ name, users }: Reaction): readonly Reaction[] {
  const left = users.filter((id) => id !== BOT.userId);
  return left.length === 0 ? [] : [{ name, users: left }];
}
