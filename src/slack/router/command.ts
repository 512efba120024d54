import { nearest } from '../../lib/closed-list.ts';
import { type Environment, environmentNamed } from '../../lib/environment.ts';
import { InputError } from '../../lib/errors.ts';
import {
  type CommandText,
  exampleOf,
  type FilterKey,
  type FilterMap,
  onlyValue,
  parseCommandText,
  plainTyped,
  refuseOthers,
} from '../../lib/input/filters.ts';
import type { Recognized } from '../../lib/input/ids.ts';
import { plainCommand } from '../../lib/input/slack-text.ts';
import { isIncidentNumber } from '../../lib/input/typed-values.ts';
import type { Access, Workspace } from '../../lib/workspace.ts';
import { refuseMasked, typedTargets } from '../../service/typed-lookup.ts';
import { channelEnvironment } from '../../watches/channel-environment.ts';
import type { SlackCtx } from '../ctx.ts';
import { actions } from '../kit/blocks.ts';
import { type ListPage, runButton } from '../kit/buttons.ts';
import { MENTION } from '../kit/for-everyone.ts';
import type { CommandInteraction } from '../kit/interaction.ts';
import { asMessage, type MessageContent } from '../kit/message.ts';
import type { Reply } from '../kit/reply.ts';
import { code, mrkdwn } from '../kit/text.ts';
import type { Route } from './route.ts';

export interface Flow {
  commands: readonly Command[];
  routes: readonly Route[];
}

export const PURPOSES = {
  lookup: 'Look something up',
  failing: 'See what fails, and what came before',
  incident: 'Handle an incident',
  alerts: 'Get alerts here',
  change: 'Change something',
  notif: 'Notif itself',
};

export interface Command {
  word: string;
  /** Where help has it. */
  purpose: keyof typeof PURPOSES;
  usage: string;
  about: string;
  examples: readonly string[];
  for: Access;
  filters: readonly FilterKey[];
  environments?: 'several';
  /** By default, words follow. `text` isn't parsed. With `ids`, labels before them are words (`Event ID: …`), and so is an `argument` (`project:42`). */
  follows?: 'filters' | 'text' | 'ids' | 'argument';
  answer: (line: CommandLine, interaction: CommandInteraction) => Promise<MessageContent> | Promise<void>;
}

export interface CommandLine {
  words: readonly string[];
  /** It isn't parsed, and has people by their names. */
  text: string;
  filters: FilterMap;
  environment: Environment;
  timeZone: string;
  page?: ListPage | undefined;
}

/** The environment of `env:`, else the channel's, else the first. */
export async function environmentIn(
  { environments, db }: Pick<SlackCtx, 'environments' | 'db'>,
  channelId: string | null,
  filters: FilterMap = {},
): Promise<Environment> {
  const named = onlyValue('env', filters);
  const isClear = named !== undefined || channelId === null || environments.length === 1;
  const usual = isClear ? null : await channelEnvironment(db, channelId);
  return environments.find(({ name }) => name === usual) ?? environmentNamed(named, environments);
}

interface CommandCtx extends Pick<SlackCtx, 'environments' | 'db' | 'accessControl'> {
  workspace: Pick<Workspace, 'timeZoneOf' | 'namesOf'>;
}

export interface Answers {
  commands: readonly Command[];
  lookup: Lookup;
  incidentAnswer: (number: string, interaction: CommandInteraction) => Promise<MessageContent>;
  /** Offers the thread's incidents, or the open ones, if the error is that none is named; else throws it again. */
  whichIncident: (error: unknown, interaction: CommandInteraction) => Promise<MessageContent>;
}

export type Lookup = (
  targets: readonly Recognized[],
  environment: Environment,
  reply: Pick<Reply, 'working'>,
) => Promise<MessageContent>;

type Typed = Pick<CommandLine, 'words' | 'text' | 'filters'>;

export async function runCommand(ctx: CommandCtx, interaction: CommandInteraction, answers: Answers): Promise<void> {
  const content = await answerTo(ctx, interaction, answers).catch((err) => answers.whichIncident(err, interaction));
  if (content) await interaction.reply.show(content);
}

async function answerTo(
  ctx: CommandCtx,
  typedInteraction: CommandInteraction,
  { commands, lookup, incidentAnswer }: Answers,
) {
  const names = commands.map(({ word }) => word);
  const text = plainCommand(typedInteraction.text, names);
  const interaction = { ...typedInteraction, text };
  const commandNamed = (word: string) => commands.find((command) => command.word === word.toLowerCase());
  const [, first = '', rest = ''] = /^(\S+)\s*(.*)$/su.exec(plainTyped(text)) ?? [];
  const named = commandNamed(first);
  if (named?.follows === 'text') return run(ctx, named, { words: [], text: rest, filters: {} }, interaction);

  const isLookup = named === undefined || named.follows === 'ids';
  const taken = isLookup
    ? null
    : { ...named, command: `/notif ${named.word}`, takesArgument: named.follows === 'argument' };
  const typed = parseCommandText(text, taken);
  const [word = '', ...words] = typed.words;
  const command = commandNamed(word);
  if (command !== undefined) return run(ctx, command, { ...typed, words, text: words.join(' ') }, interaction);
  // A mistyped command must not send or change anything.
  const mistyped = (similar: string) =>
    mistypedMessage(text, word, similar, commandNamed(similar)?.for !== 'operators');
  // `Message: txn_8f2c91` is a label before an ID.
  const known = word.endsWith(':') ? null : nearest(word, names);
  if (known !== null && word.replace(/^un/i, '') !== known) return mistyped(known);

  const targets = typedTargets(typed, ctx.environments);
  if (targets.length > 0) {
    const environment = await environmentIn(ctx, interaction.channelId, typed.filters);
    return lookup(targets, environment, interaction.reply);
  }
  const help = commandNamed('help');
  if (word === '' && help) return run(ctx, help, { words, text: '', filters: {} }, interaction);
  const isAlone = words.length === 0;
  if (isAlone && isIncidentNumber(word)) return incidentAnswer(word, interaction);
  refuseMasked(typed.words.join(' '));
  const number = `#${word}`;
  return mistyped(isAlone && isIncidentNumber(number) ? number : '');
}

async function run(ctx: CommandCtx, command: Command, typed: Typed, interaction: CommandInteraction) {
  const { userId, page } = interaction;
  await ctx.accessControl.authorize(userId, command.for);
  refuseUntaken(command, typed);
  const takesSeveral = command.environments === 'several';
  const { env: _, ...withoutEnv } = typed.filters;
  const channelId = command.filters.includes('env') ? interaction.channelId : null;
  const environment = await environmentIn(ctx, channelId, takesSeveral ? {} : typed.filters);
  const timeZone = (await ctx.workspace.timeZoneOf(userId)) ?? 'UTC';
  const filters = takesSeveral ? typed.filters : withoutEnv;
  const text = await withPeopleNamed(typed.text, ctx.workspace);
  return command.answer({ ...typed, text, filters, environment, timeZone, page }, interaction);
}

async function withPeopleNamed(text: string, { namesOf }: Pick<Workspace, 'namesOf'>) {
  const names = await namesOf([...text.matchAll(MENTION)].map(([, id = '']) => id));
  return text
    .replace(MENTION, (_, id) => `@${names.get(id) ?? 'somebody'}`)
    .replace(/<(#|!subteam\^)\w+\|?>/g, (_, sign) => (sign === '#' ? '#channel' : '@group'));
}

export function refuseUntaken(
  { word, filters: allowed, follows }: Pick<Command, 'word' | 'filters' | 'follows'>,
  { words: [extra], filters }: CommandText,
): void {
  const command = `/notif ${word}`;
  if (follows === 'filters' && extra !== undefined) {
    const what = `${extra} is not a filter: ${command} takes key:value.`;
    const next = isIncidentNumber(extra) ? `Of an incident: /notif ${extra}, then View affected.` : null;
    throw new InputError('filter', what, `${command} ${exampleOf(allowed[0] ?? 'env')}`, next);
  }
  refuseOthers(filters, allowed, command);
}

function mistypedMessage(text: string, word: string, similar: string, isOffered: boolean) {
  const corrected = similar && text.replace(word, similar);
  const command = code(`/notif ${corrected || 'help'}`);
  const hint = corrected
    ? mrkdwn`Did you mean ${command}?`
    : mrkdwn`All commands: ${command}. Open incidents: ${code('/notif handover')}.`;
  return asMessage(
    [mrkdwn`⚠️ ${word} isn't a command. ${hint}`, mrkdwn`To look it up as an ID: ${code(`/notif event ${word}`)}.`],
    actions([isOffered && corrected !== '' && runButton(`Run ${similar}`, corrected)]),
  );
}
