import { nearest } from '../../lib/closed-list.ts';
import type { Environment } from '../../lib/environment.ts';
import { InputError } from '../../lib/errors.ts';
import {
  type CommandText,
  EXAMPLES,
  type FilterKey,
  type FilterMap,
  parseCommandText,
  parseLookupText,
  plainTyped,
  refuseOthers,
} from '../../lib/input/filters.ts';
import { refuseLink, refusePhoneNumber } from '../../lib/input/ids.ts';
import { MOST_RECOGNISED, type Recognised } from '../../lib/input/lookup-target.ts';
import { correctedText, plainCommand } from '../../lib/input/slack-text.ts';
import { isIncidentNumber } from '../../lib/input/typed-values.ts';
import type { Seal } from '../../lib/seal.ts';
import { dependsOnZone } from '../../lib/time/time-range.ts';
import type { Workspace } from '../../lib/workspace.ts';
import { isOnlyIds, refuseLookupFilters, refuseMasked, typedTargets } from '../../lookups/typed-lookup.ts';
import { actions, type MessageContent, whatNext } from '../kit/blocks.ts';
import { parseRun, RUN, RUN_LOOK_UP, runButton } from '../kit/buttons.ts';
import { code, mrkdwn } from '../kit/text.ts';
import type { LookupAnswer } from '../kit/words/lookup-answer.ts';
import type { AccessControl } from './authorization.ts';
import type { Command, CommandLine } from './command.ts';
import { type ChannelCtx, environmentIn, onlyEnvironment } from './environment-in.ts';
import type { CommandInteraction } from './interaction.ts';
import { actionRoute, type Route, routesFor } from './route.ts';

export interface CommandCtx extends ChannelCtx {
  readonly accessControl: AccessControl;
  readonly seal: Seal;
  /** IANA name. Null if it's unknown. Never rejects. */
  readonly workspace: Pick<Workspace, 'timeZoneOf'>;
  showNumbered(number: string, interaction: CommandInteraction): Promise<void>;
}

/** `environment` is for those that don't name one. Null if there is nothing to look up. */
export type Lookup = (found: readonly Recognised[], environment: Environment) => Promise<LookupAnswer | null>;

/**
 * The first word is a command's name; no word means help; an incident's number shows the incident; any other text with
 * an ID in it is looked up. For a word that may be a mistyped command, the answer offers both.
 */
export function notifRoutes(ctx: CommandCtx, commands: readonly Command[], lookup: Lookup): Route[] {
  const answer = (interaction: CommandInteraction) => runCommand(ctx, interaction, commands, lookup);
  const read = (value: string) => parseRun(value, ctx.seal);
  return routesFor('everyone', [
    { surface: 'command', name: '/notif', answer },
    ...[RUN, RUN_LOOK_UP].map((id) => actionRoute(id, read, (text, interaction) => answer({ ...interaction, text }))),
  ]);
}

/** `/notif watch --help`, as people type it in a shell; phones make one dash of the two. */
const HELP_OPTION = /^\s*(\S+)\s+(?:--?help|[–—]help|-h)\s*$/i;

/** Throws an `InputError` if it's neither a command nor an ID. */
export async function runCommand(
  ctx: CommandCtx,
  typedInteraction: CommandInteraction,
  commands: readonly Command[],
  lookup: Lookup,
): Promise<void> {
  const names = commands.map((command) => command.word);
  const interaction = {
    ...typedInteraction,
    text: plainCommand(typedInteraction.text, names).replace(HELP_OPTION, 'help $1'),
  };
  const texting = commandWithText(interaction.text, commands);
  if (texting !== null) return run(ctx, texting.command, { words: [texting.text], filters: {} }, interaction);
  const typed = parsed(interaction.text, commands);
  const areIds = isOnlyIds(typed);
  const [word = 'help', ...rest] = typed.words;
  const known = areIds ? undefined : commands.find((command) => command.word === word.toLowerCase());
  // Filters without a command say nothing about the help that they get.
  const filters = typed.words.length === 0 ? {} : typed.filters;
  if (known !== undefined) return run(ctx, known, { ...typed, filters, words: rest }, interaction);
  const slip = areIds || isLabel(ctx, typed) ? null : nearest(withoutColon(word), names);
  const environment = await environmentIn(ctx, interaction.channelId, onlyEnvironment(ctx, typed.filters.env ?? []));
  const found = slip === null ? await lookUp(ctx, typed, environment, lookup) : null;
  const text = slip === null ? null : correctedText(interaction.text, word, slip);
  const similar = slip === null || text === null ? null : { command: slip, text };
  if (found === null && similar === null && isNumberAlone(typed)) return ctx.showNumbered(word, interaction);
  if (found === null && similar === null) refuseUnknown(interaction.text, typed.words);
  await interaction.reply.show(found?.content ?? unknownCommandMessage(word, typed.filters, similar, ctx.seal));
}

/** Labels are words where no command is named, or one that IDs follow. */
function parsed(text: string, commands: readonly Command[]): CommandText {
  const [first = ''] = plainTyped(text).split(/\s+/);
  const command = commands.find(({ word }) => word === first.toLowerCase());
  if (command === undefined) return parseLookupText(text);
  const taken = { command: `/notif ${command.word}`, filters: command.filters };
  return command.follows === 'ids' ? parseLookupText(text, taken) : parseCommandText(text, taken);
}

/** Whatever command it resembles: `Message: txn_8f2c91`. */
function isLabel({ environments }: CommandCtx, typed: CommandText): boolean {
  const [word = ''] = typed.words;
  return word !== withoutColon(word) && typedTargets(typed, environments, 1).length > 0;
}

function isNumberAlone({ words: [word = '', ...others], filters }: CommandText): boolean {
  return others.length === 0 && isIncidentNumber(word) && Object.keys(filters).every((key) => key === 'env');
}

function withoutColon(word: string): string {
  return word.replace(/:$/, '');
}

async function lookUp(
  { environments }: CommandCtx,
  typed: CommandText,
  environment: Environment,
  lookup: Lookup,
): Promise<LookupAnswer | null> {
  refuseLookupFilters(typed, environments);
  return lookup(typedTargets(typed, environments, MOST_RECOGNISED + 1), environment);
}

/** Throws an `InputError` for a text that is neither a command nor has anything to look up, if it's known what it is. */
function refuseUnknown(text: string, words: readonly string[]): void {
  const [word = ''] = words;
  refuseMasked(words.join(' '));
  refusePhoneNumber(words.join(' '));
  refuseLink(word);
  if (isIncidentNumber(word)) {
    const what = `${word} is an incident's number. Say what to do with it: ack, resolve, note or mute.`;
    throw new InputError('command', what, `/notif ack ${word}`);
  }
  // A label that belongs to no ID was probably meant as a filter.
  parseCommandText(text);
}

function commandWithText(
  typed: string,
  commands: readonly Command[],
): { readonly command: Command; readonly text: string } | null {
  const [, word = '', text = ''] = /^(\S+)\s*(.*)$/su.exec(plainTyped(typed)) ?? [];
  const command = commands.find((command) => command.follows === 'text' && command.word === word.toLowerCase());
  return command === undefined ? null : { command, text };
}

async function run(
  ctx: CommandCtx,
  command: Command,
  typed: CommandText,
  interaction: CommandInteraction,
): Promise<void> {
  await ctx.accessControl.authorize(interaction.userId, command.for);
  const line = await commandLineOf(ctx, command, typed, interaction);
  refuseUntaken(command, line);
  await command.answer(line, interaction);
}

async function commandLineOf(
  ctx: CommandCtx,
  command: Command,
  typed: CommandText,
  interaction: CommandInteraction,
): Promise<CommandLine> {
  const { words, filters } = typed;
  const { env, ...others } = filters;
  const takesOne = command.environments === undefined;
  const named = takesOne ? onlyEnvironment(ctx, typed.filters.env ?? []) : undefined;
  // A command that takes none must work without the database, too.
  const channelId = command.environments === 'none' ? null : interaction.channelId;
  const environment = await environmentIn(ctx, channelId, named);
  const isZoned = [...(filters.since ?? []), ...(filters.until ?? [])].some(dependsOnZone);
  const timeZone = (isZoned ? await ctx.workspace.timeZoneOf(interaction.userId) : null) ?? 'UTC';
  return { words, filters: takesOne ? others : filters, environment, timeZone };
}

/** Throws an `InputError` for the first word or filter that a command doesn't take. */
export function refuseUntaken(
  { word, filters: allowed, follows, refuses }: Omit<Command, 'answer'>,
  { words, filters }: Pick<CommandLine, 'words' | 'filters'>,
): void {
  const command = `/notif ${word}`;
  if (follows === 'filters') refuseWords(words, command, allowed);
  refuses?.(filters);
  refuseOthers(filters, allowed, command);
}

function refuseWords([word]: readonly string[], command: string, [filter = 'env']: readonly FilterKey[]): void {
  if (word === undefined) return;
  if (/^#\d+$/.test(word)) {
    throw new InputError('filter', `${word} is the number of an incident, not a filter.`, `/notif ${word}`);
  }
  const example = /^(?:help|\?)$/i.test(word) ? command.replace(' ', ' help ') : `${command} ${EXAMPLES[filter]}`;
  throw new InputError('filter', `${word} is not a filter: ${command} takes key:value.`, example);
}

function unknownCommandMessage(
  word: string,
  filters: FilterMap,
  similar: { readonly command: string; readonly text: string } | null,
  seal: Seal,
): MessageContent {
  const hint =
    similar === null
      ? mrkdwn`All commands: ${code('/notif help')}.`
      : mrkdwn`Did you mean ${code(`/notif ${similar.command}`)}?`;
  const what = mrkdwn`⚠️ ${word} isn't a command. ${hint}`;
  const next = mrkdwn`To look it up as an ID: ${code(`/notif event ${word}`)}.`;
  const ways = [
    ...(similar === null ? [] : runButton(`Run ${similar.command}`, similar.text, seal)),
    ...runButton(
      'Look it up',
      [`event ${word}`, ...(filters.env ?? []).map((name) => `env:${name}`)].join(' '),
      seal,
      RUN_LOOK_UP,
    ),
  ];
  return whatNext(what, next, actions(ways));
}
