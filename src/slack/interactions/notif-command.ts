import type { Seal } from '../../domain/access/seal.ts';
import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { plainCommand } from '../../domain/input/command-word.ts';
import { type CommandText, type FilterKey, parseCommandText, plainTyped } from '../../domain/input/filters.ts';
import { refusePhoneNumber } from '../../domain/input/ids.ts';
import { nearest } from '../../domain/nearest.ts';
import { dependsOnZone } from '../../domain/time/time-range.ts';
import { actions, type MessageContent, message, section } from '../blocks/blocks.ts';
import { parseRun, RUN, RUN_LOOK_UP, runButton } from '../blocks/buttons/run-button.ts';
import { code, mrkdwn } from '../blocks/text.ts';
import type { LookupAnswer } from '../blocks/words/lookup-answer.ts';
import type { AccessControl } from './authorization.ts';
import type { Asked, Command } from './command.ts';
import { type ChannelEnvironmentParts, environmentIn } from './environment-in.ts';
import type { CommandInteraction } from './interaction.ts';
import { actionRoute, type Route, routesFor } from './route.ts';

export interface NotifParts extends ChannelEnvironmentParts {
  readonly accessControl: AccessControl;
  readonly seal: Seal;
  /** Returns the IANA name of a person's time zone. Null if it's unknown. Never rejects. */
  zoneOf(userId: string): Promise<string | null>;
}

/** Looks up what a text refers to. */
export interface TextLookup {
  /** Null if the text refers to nothing. */
  answer(
    text: string,
    environment: Environment,
    audience: { readonly is: 'person' },
    interaction: CommandInteraction,
  ): Promise<LookupAnswer | null>;
}

/**
 * The routes for `/notif` and the buttons that run it. The first word is a command's name; no word means help; any other text with an ID in
 * it is looked up. For a word that may be a mistyped command, the answer offers both.
 */
export function notifRoutes(commands: readonly Command[], lookup: TextLookup, parts: NotifParts): Route[] {
  const answer = (interaction: CommandInteraction) => runCommand(interaction, commands, lookup, parts);
  const read = (value: string) => parseRun(value, parts.seal);
  return routesFor('everyone', [
    { surface: 'command', name: '/notif', answer },
    ...[RUN, RUN_LOOK_UP].map((id) => actionRoute(id, read, (text, interaction) => answer({ ...interaction, text }))),
  ]);
}

const ONE = { is: 'person' } as const;

/** `/notif watch --help`, as people type it in a shell; phones make one dash of the two. */
const HELP_OPTION = /^\s*(\S+)\s+(?:--?help|[–—]help|-h)\s*$/i;

/** Runs what was typed after `/notif`, or looks it up. Throws an `InputError` if it's neither a command nor an ID. */
export async function runCommand(
  asked: CommandInteraction,
  commands: readonly Command[],
  lookup: TextLookup,
  parts: NotifParts,
): Promise<void> {
  const names = commands.map((command) => command.word);
  const interaction = { ...asked, text: plainCommand(asked.text, names).replace(HELP_OPTION, 'help $1') };
  const texting = commandWithText(interaction.text, commands);
  if (texting !== null) return run(texting.command, { words: [texting.text], filters: {} }, interaction, parts);
  const typed = parseCommandText(interaction.text);
  const [word = isOnlyIds(typed) ? '' : 'help', ...rest] = typed.words;
  const known = commands.find((command) => command.word === word.toLowerCase());
  if (known !== undefined) return run(known, { ...typed, words: rest }, interaction, parts);
  const slip = nearest(word, names);
  const environment = await environmentIn(interaction.channelId, onlyEnvironment(typed, parts), parts);
  const found = slip === null ? await lookup.answer(textToLookUp(typed), environment, ONE, interaction) : null;
  const meant = slip === null ? meantCommand(interaction.text, typed, names) : replaced(interaction.text, word, slip);
  if (found === null) refusePhoneNumber(typed.words.join(' '));
  await interaction.reply.show(found?.content ?? unknownCommandMessage(typed, meant, parts.seal));
}

/** What was probably meant: a command, how it is suggested, and the text that runs it. */
interface Meant {
  readonly command: string;
  readonly shown: string;
  readonly text: string;
}

/** In a longer text, a command's name is likely just a word. */
const MOST_WORDS = 3;
const SHORTEST_PART = 3;

/** Returns the command that was typed after its words (`weekly list`), or that the first word begins with or begins (`acknowledge`, `hist`). */
function meantCommand(typed: string, { words }: CommandText, names: readonly string[]): Meant | null {
  const [word = '', ...others] = words;
  const late = words.length > MOST_WORDS ? undefined : others.find((other) => names.includes(other.toLowerCase()));
  if (late !== undefined) {
    const rest = typed.split(/\s+/).filter((piece) => piece !== late && piece !== '');
    const command = late.toLowerCase();
    const text = [command, ...rest].join(' ');
    return { command, shown: text, text };
  }
  const part = word.toLowerCase();
  const alike = names.filter((name) => part.startsWith(name) || name.startsWith(part));
  const [only] = /^[a-z]+$/.test(part) && part.length >= SHORTEST_PART && alike.length === 1 ? alike : [];
  return only === undefined ? null : replaced(typed, word, only);
}

/** Replaces a command's word, and keeps the rest as typed: without its filters it would ask something else. */
function replaced(text: string, word: string, command: string): Meant {
  const pieces = text.split(/(\s+)/);
  const first = pieces.indexOf(word);
  return { command, shown: command, text: pieces.map((piece, index) => (index === first ? command : piece)).join('') };
}

/** Returns a command that takes free text, with that text. */
function commandWithText(
  typed: string,
  commands: readonly Command[],
): { readonly command: Command; readonly text: string } | null {
  const [, word = '', text = ''] = /^(\S+)\s*(.*)$/su.exec(plainTyped(typed)) ?? [];
  const command = commands.find((one) => one.takesText && one.word === word.toLowerCase());
  return command === undefined ? null : { command, text };
}

async function run(
  command: Command,
  typed: CommandText,
  interaction: CommandInteraction,
  parts: NotifParts,
): Promise<void> {
  await parts.accessControl.authorize(interaction.userId, command.for);
  await command.answer(await askedOf(command, typed, interaction, parts), interaction);
}

async function askedOf(
  command: Command,
  typed: CommandText,
  interaction: CommandInteraction,
  parts: NotifParts,
): Promise<Asked> {
  const { words, filters } = typed;
  const { env, ...others } = filters;
  const takesOne = command.environments === undefined;
  const named = takesOne ? onlyEnvironment(typed, parts) : undefined;
  const environment = await environmentIn(interaction.channelId, named, parts);
  const isZoned = [...(filters.since ?? []), ...(filters.until ?? [])].some(dependsOnZone);
  const timeZone = (isZoned ? await parts.zoneOf(interaction.userId) : null) ?? 'UTC';
  return { words, filters: takesOne ? others : filters, environment, timeZone };
}

/** Throws an `InputError` if `env:` names several. */
function onlyEnvironment({ filters: { env } }: CommandText, { environments }: NotifParts): string | undefined {
  const [name, ...others] = env ?? [];
  if (others.every((other) => other.toLowerCase() === name?.toLowerCase())) return name;
  throw new InputError('env', 'env: takes one environment at a time.', `env:${environments[0]?.name ?? ''}`);
}

/** Filters that are enough for a lookup on their own. */
const ID_FILTERS = new Set<string>(['subscriber', 'email', 'tx', 'env'] satisfies FilterKey[]);

/** Throws an `InputError` for filters that need a command. */
function isOnlyIds({ words, filters }: CommandText): boolean {
  const keys = Object.keys(filters).filter((key) => key !== 'env');
  if (words.length > 0 || keys.length === 0) return false;
  if (keys.every((key) => ID_FILTERS.has(key))) return true;
  throw new InputError('command', 'What is to be filtered? Name a command first.', '/notif failures channel:email');
}

function textToLookUp({ words, filters: { subscriber = [], email = [], tx = [] } }: CommandText): string {
  return [...words, ...email, ...tx, ...subscriber.map((id) => `subscriber:"${id}"`)].join(' ');
}

function unknownCommandMessage({ words, filters }: CommandText, meant: Meant | null, seal: Seal): MessageContent {
  const [word = ''] = words;
  const hint =
    meant === null
      ? mrkdwn`All commands: ${code('/notif help')}.`
      : mrkdwn`Did you mean ${code(`/notif ${meant.shown}`)}?`;
  const what = mrkdwn`${word} is not a command. ${hint}`;
  const next = mrkdwn`To look it up as an id: ${code(`/notif event ${word}`)}.`;
  const ways = [
    ...(meant === null ? [] : runButton(`Run ${meant.command}`, meant.text, seal)),
    ...runButton(
      'Look it up',
      [`event ${word}`, ...(filters.env ?? []).map((name) => `env:${name}`)].join(' '),
      seal,
      RUN_LOOK_UP,
    ),
  ];
  return message(mrkdwn`⚠️ ${what} ${next}`, [section(mrkdwn`⚠️ ${what}\n${next}`), ...actions(ways)]);
}
