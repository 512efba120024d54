import { withEscapes } from '../block-kit/fields.ts';
import { sendMessageEvent } from '../bot/events.ts';
import { BOT, ENTERPRISE, type SeedPerson, TEAM } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';
import { DONE, failed, type Outcome } from './interaction.ts';

export async function say(
  person: SeedPerson,
  channel: Channel,
  text: string,
  threadTs: string | undefined,
  slack: SlackState,
): Promise<Outcome> {
  const repliedTo = threadTs === undefined ? undefined : slack.message(channel.id, threadTs);
  if (threadTs !== undefined && repliedTo?.onlyVisibleTo !== null)
    return failed('thread_not_found', 'There is nothing to reply to.');
  const message = slack.post({
    text: storedText(text, slack),
    channel: channel.id,
    author: person.id,
    threadTs: repliedTo?.threadTs ?? repliedTo?.ts ?? null,
  });
  await sendMessageEvent(message, channel, slack);
  return DONE;
}

/** Edits a message. Slack reports a mention in it as a new event about the same message. */
export async function edit(message: Message, typed: string, slack: SlackState): Promise<Outcome> {
  const channel = slack.channel(message.channel);
  if (channel === undefined || channel.kind === 'direct') return failed('not_supported', 'Edit messages of channels.');
  const eventTs = slack.nextTs();
  const edited = slack.edit(message, { text: storedText(typed, slack), edited: true });
  await sendMessageEvent(edited, channel, slack, { event_ts: eventTs, edited: { user: message.author, ts: eventTs } });
  return DONE;
}

/** Slack's own command: `/invite @Notif` brings the bot or people into the channel. */
export function invite(channel: Channel, line: string, slack: SlackState): Outcome {
  const names = line.split(/\s+/).slice(1);
  for (const name of names) {
    const id = memberCalled(name.replace(/^@/, ''), slack);
    const current = slack.channel(channel.id);
    if (id === undefined || current === undefined) return failed('user_not_found', `There is nobody called ${name}.`);
    if (current.kind === 'direct') return failed('cant_invite', 'Nobody can be invited to a direct message.');
    slack.admit(current, id);
  }
  return DONE;
}

export async function typeCommand(
  person: SeedPerson,
  channel: Channel,
  line: string,
  slack: SlackState,
): Promise<Outcome> {
  const [word = '', ...rest] = line.split(' ');
  if (!slack.manifest.features.slash_commands.some(({ command }) => command === word))
    return failed('invalid_command', `${word} is not a valid command.`);
  const text = rest.join(' ').trim();
  const target = { person: person.id, channel: channel.id, sourceTs: null };
  const { teamId = TEAM.id } = person;
  const delivery = await slack.bot.deliver('slash_commands', {
    is_enterprise_install: 'false',
    team_id: teamId,
    channel_id: channel.id,
    user_id: person.id,
    ...(slack.isInEnterprise && { enterprise_id: ENTERPRISE.id }),
    command: word,
    text: escapeMentions(text, slack),
    response_url: slack.responseUrls.issue(target),
    trigger_id: slack.triggers.issue(person.id),
  });
  const { ackMs } = delivery;
  if (!delivery.ok) return failed(delivery.error, `${word} failed with the error "${delivery.error}"`, ackMs);
  return { ok: true, ackMs };
}

/** Code, a URL without the punctuation after it, an email address, a name after '@' or '#', or a character that Slack escapes. */
const PARTS =
  /`[^`]*`|https?:\/\/[^\s<>`|]*[^\s<>`|.,:;!?)\]}'"]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[@#][\w-]+(?:\.[\w-]+)*|[&<>]/g;

/** Converts typed text to what Slack stores: escaped, names as `<@U0BOT>` and `<#C0ONCALL|oncall>`, URLs as `<https://example.com>`. */
function storedText(typed: string, slack: SlackState): string {
  return typed.replace(PARTS, (part) => {
    const literal = withEscapes(part);
    if (/^@(here|channel|everyone)$/.test(part)) return `<!${part.slice(1)}>`;
    const isEmail = !part.startsWith('`') && part.indexOf('@') > 0;
    return reference(part, slack) ?? (isEmail ? `<mailto:${literal}|${literal}>` : literal);
  });
}

/** Converts the names and URLs of a command as Slack sends them to apps, people with their names: `<@U0ANN|ann>`. The rest stays as typed. */
function escapeMentions(text: string, slack: SlackState): string {
  return text.replace(PARTS, (part) => reference(part, slack)?.replace(/^<@(\w+)>$/, `<@$1|${part.slice(1)}>`) ?? part);
}

/** Returns a URL or a known name as Slack writes it, and undefined for all else. */
function reference(part: string, slack: SlackState): string | undefined {
  const name = part.slice(1);
  if (part.startsWith('http')) return `<${withEscapes(part)}>`;
  if (part.startsWith('#')) {
    const channel = slack.channelNamed(name);
    return channel && `<#${channel.id}|${channel.name}>`;
  }
  if (!part.startsWith('@')) return undefined;
  const id = memberCalled(name, slack);
  const group = slack.userGroups.find(({ handle }) => handle === name);
  return id === undefined ? group && `<!subteam^${group.id}|@${group.handle}>` : `<@${id}>`;
}

function memberCalled(name: string, slack: SlackState): string | undefined {
  const isBot = name.toLowerCase() === slack.manifest.display_information.name.toLowerCase();
  return isBot ? BOT.userId : slack.personNamed(name)?.id;
}
