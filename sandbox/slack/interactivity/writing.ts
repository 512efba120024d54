import { Arguments, Refusal } from '../arguments.ts';
import { withEscapes } from '../block-kit/fields.ts';
import type { Acknowledged } from '../delivery.ts';
import { tellOfMessage } from '../events.ts';
import type { SlashCommand } from '../manifest.ts';
import { BOT, type SeedPerson } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { ReplyTarget } from '../state/issued.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { acceptContent } from '../validate/accept.ts';
import { acceptThread, showsEphemeral } from '../web-api/chat.ts';
import { failed, type Interaction } from './interaction.ts';
import { slashCommand } from './surfaces.ts';

/** Code, a URL, an email address, a name after '@' or '#', or a character that Slack escapes. */
const PARTS = /`[^`]*`|https?:\/\/[^\s<>`]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[@#][\w-]+(?:\.[\w-]+)*|[&<>]/g;

type Named = Pick<SlackState, 'manifest' | 'people' | 'userGroups' | 'conversations'>;

/**
 * Converts typed text to what Slack stores: `&`, `<` and `>` are escaped, and names, URLs and email addresses become references:
 * `<@U0BOT>`, `<#C0ONCALL|oncall>`, `<https://example.com>`, `<mailto:ann@example.com|ann@example.com>`. Code and unknown names stay
 * unchanged.
 */
function storedText(typed: string, workspace: Named): string {
  return typed.replace(PARTS, (part) => {
    const literal = withEscapes(part);
    if (part.startsWith('@')) return calledBy(part.slice(1), workspace) ?? literal;
    if (part.startsWith('#')) return channelCalled(part.slice(1), workspace) ?? literal;
    if (part.startsWith('http')) return `<${literal}>`;
    return part.includes('@') && !part.startsWith('`') ? `<mailto:${literal}|${literal}>` : literal;
  });
}

function calledBy(name: string, { manifest, people, userGroups }: Named): string | undefined {
  if (['here', 'channel', 'everyone'].includes(name)) return `<!${name}>`;
  const isBot = name.toLowerCase() === manifest.display_information.name.toLowerCase();
  const id = isBot ? BOT.userId : people.named(name)?.id;
  return id === undefined ? groupCalled(name, { userGroups }) : `<@${id}>`;
}

function groupCalled(name: string, { userGroups }: Pick<Named, 'userGroups'>): string | undefined {
  const group = userGroups.find(({ handle }) => handle === name);
  return group && `<!subteam^${group.id}|@${group.handle}>`;
}

function channelCalled(name: string, { conversations }: Pick<Named, 'conversations'>): string | undefined {
  const channel = conversations.named(name);
  return channel && `<#${channel.id}|${channel.name}>`;
}

/** A URL, a name after an '@' that isn't part of an email address, or a channel name after '#'. */
const MENTION = /(https?:\/\/[^\s<>|]+)|(?<![\w.])@([\w.-]+)|(?<![\w/])#([\w-]+)/g;

/**
 * Converts names and URLs into Slack's references, as `should_escape` requires: `<@U0ANN|ann>`, `<!subteam^S0ONCALL|@oncall>`,
 * `<#C0ONCALL|oncall>`, `<https://example.com>`. Unknown names stay as typed.
 */
function escapeMentions(text: string, workspace: Omit<Named, 'manifest'>): string {
  return text.replace(MENTION, (typed: string, url?: string, name?: string, channel = '') => {
    if (url !== undefined) return `<${url}>`;
    if (name === undefined) return channelCalled(channel, workspace) ?? typed;
    const person = workspace.people.named(name);
    return (person && `<@${person.id}|${person.name}>`) ?? groupCalled(name, workspace) ?? typed;
  });
}

/** Writes a person's message, in a channel or as a reply in a thread. `threadTs` can be that of any message in the thread. */
export async function say(
  { person, channel, text, threadTs }: SaidBy & { text: string; threadTs?: string | undefined },
  slack: SlackState,
): Promise<Interaction> {
  const answered = threadTs === undefined ? undefined : slack.messages.find(channel.id, threadTs);
  const isAnswerable = threadTs === undefined || (answered !== undefined && answered.onlyVisibleTo === null);
  if (!isAnswerable) return failed('thread_not_found', 'There is nothing to reply to.');
  const message = slack.messages.post({
    ...{ text: storedText(text, slack), blocks: [], attachments: [], metadata: null },
    channel: channel.id,
    author: person.id,
    threadTs: answered?.threadTs ?? answered?.ts ?? null,
  });
  await tellOfMessage(message, { person, channel }, slack);
  return { ok: true, ackMs: 0 };
}

interface SaidBy {
  readonly person: SeedPerson;
  readonly channel: Channel;
}

/**
 * Carries out what a bot sends to a response_url or in the acknowledgment of a slash command: a message to only that person unless it has
 * `in_channel`, or a change of the original message. A command's own line can't be changed.
 */
export function respond(args: Arguments, target: ReplyTarget, slack: SlackState): void {
  if (args.flag('delete_original')) deleteOriginal(target, slack);
  else if (args.flag('replace_original') && target.sourceTs !== null) replaceOriginal(args, target, slack);
  else postResponse(args, target, slack);
}

function postResponse(args: Arguments, target: ReplyTarget, slack: SlackState): void {
  const channel = openChannel(target, slack);
  const content = acceptContent(args, slack.blockKit);
  const threadTs = acceptThread(args, channel, slack);
  const onlyVisibleTo = args.text('response_type') === 'in_channel' ? null : target.person;
  if (onlyVisibleTo !== null && !showsEphemeral(channel.id, threadTs, slack)) return;
  slack.messages.post({ ...content, channel: channel.id, author: BOT.userId, threadTs, onlyVisibleTo });
}

/** Returns the channel. The bot needn't be in it. */
function openChannel(target: ReplyTarget, slack: SlackState): Channel {
  const channel = slack.conversations.byId(target.channel);
  if (channel === undefined) throw new Refusal('channel_not_found');
  if (channel.isArchived) throw new Refusal('is_archived');
  return channel;
}

function deleteOriginal(target: ReplyTarget, slack: SlackState): void {
  if (target.sourceTs !== null) slack.messages.remove(ownOriginal(target, 'cant_delete_message', slack));
}

/** Replaces the original. It keeps its audience: an ephemeral message can't be made visible to others. */
function replaceOriginal(args: Arguments, target: ReplyTarget, slack: SlackState): void {
  const message = ownOriginal(target, 'cant_update_message', slack);
  const content = acceptContent(args, slack.blockKit);
  slack.messages.edit(message, { ...content, metadata: content.metadata ?? message.metadata });
}

/** Returns the bot's message that was acted on. A message shortcut can be chosen on anybody's. */
function ownOriginal(target: ReplyTarget, wordForOthers: string, slack: SlackState): Message {
  const message = slack.messages.find(openChannel(target, slack).id, target.sourceTs ?? '');
  if (message === undefined) throw new Refusal('message_not_found');
  if (message.author !== BOT.userId) throw new Refusal(wordForOthers);
  return message;
}

/** Refuses a line that starts with a slash in a thread, where Slack accepts no app's command. */
export async function refuseInThread(line: string): Promise<Interaction> {
  return failed('not_supported_in_threads', `${line.split(' ')[0]} is not supported in threads. Sorry!`);
}

/** Sends a person's line that starts with a slash. The bot's answer in its acknowledgment appears at once. */
export async function typeCommand(
  { person, channel, line }: { person: SeedPerson; channel: Channel; line: string },
  slack: SlackState,
): Promise<Interaction> {
  const [word = '', ...rest] = line.split(' ');
  const command = slack.manifest.features.slash_commands.find((each) => each.command === word);
  if (command === undefined) return failed('invalid_command', `${word} is not a valid command.`);
  const target = { person: person.id, channel: channel.id, sourceTs: null };
  const typed = { person, channel, command: word, text: textFor(command, rest.join(' ').trim(), slack) };
  const triggerId = slack.triggers.issue(person.id);
  const payload = slashCommand({ ...typed, triggerId, responseUrl: slack.responseUrls.issue(target) }, slack);
  const delivery = await slack.bot.deliver('slash_commands', payload);
  if (!delivery.ok) return failed(delivery.error, `${word} failed with the error "${delivery.error}"`, delivery.ackMs);
  return showAcknowledgment(word, delivery, target, slack);
}

function textFor(command: SlashCommand, text: string, slack: SlackState): string {
  return command.should_escape ? escapeMentions(text, slack) : text;
}

function showAcknowledgment(word: string, delivery: Acknowledged, target: ReplyTarget, slack: SlackState): Interaction {
  const { ackMs } = delivery;
  const response = new Arguments(delivery.response);
  const isEmpty = !response.text('text') && !response.has('blocks') && !response.has('attachments');
  if (isEmpty) return { ok: true, ackMs };
  try {
    respond(response, target, slack);
    return { ok: true, ackMs };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failed(error.word, `${word} failed with the error "invalid_command_response" (${error.word})`, ackMs);
  }
}
