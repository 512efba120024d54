import { isIncidentNumber } from '../../incidents/incident-ref.ts';
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
import { refuseMasked, typedTargets } from '../../lib/input/typed-targets.ts';
import type { Access, Workspace } from '../../lib/workspace.ts';
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

/** What a feature adds to the app. */
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
  /** `env:` can name several; by default, the command is about one. */
  environments?: 'several';
  /**
   * What stands after the word; by default, words and filters.
   * `text` isn't parsed. A label before `ids` (`Event ID: …`) and an `argument` (`project:42`) is no filter.
   */
  follows?: 'filters' | 'text' | 'ids' | 'argument';
  answer: (line: CommandLine, interaction: CommandInteraction) => Promise<MessageContent> | Promise<void>;
}

export interface CommandLine {
  words: readonly string[];
  /** What stands after the command's word, with mentioned people by their names. */
  text: string;
  filters: FilterMap;
  environment: Environment;
  timeZone: string;
  page?: ListPage | undefined;
}

/** Looks up what a text names: one target, or a choice of several. */
export type Lookup = (
  targets: readonly Recognized[],
  environment: Environment,
  reply: Pick<Reply, 'working'>,
) => Promise<MessageContent>;

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

type Typed = Pick<CommandLine, 'words' | 'text' | 'filters'>;
/** Nothing if the command showed its answer itself. */
type Answered = Awaited<ReturnType<Command['answer']>>;

export async function runCommand(ctx: CommandCtx, interaction: CommandInteraction, answers: Answers): Promise<void> {
  const content = await answerTo(ctx, interaction, answers).catch((err) => answers.whichIncident(err, interaction));
  if (content) await interaction.reply.show(content);
}

async function answerTo(ctx: CommandCtx, typedInteraction: CommandInteraction, answers: Answers): Promise<Answered> {
  const { commands } = answers;
  const text = plainCommand(
    typedInteraction.text,
    commands.map(({ word }) => word),
  );
  const interaction = { ...typedInteraction, text };
  const [, first = '', rest = ''] = /^(\S+)\s*(.*)$/su.exec(plainTyped(text)) ?? [];
  const named = commandNamed(first, commands);
  if (named?.follows === 'text') return run(ctx, named, { words: [], text: rest, filters: {} }, interaction);

  // Before an ID, what looks like a filter can be a label.
  const takesLabels = named === undefined || named.follows === 'ids';
  const taken = takesLabels
    ? null
    : { ...named, command: `/notif ${named.word}`, takesArgument: named.follows === 'argument' };
  const typed = parseCommandText(text, taken);
  const [word = '', ...words] = typed.words;
  // A filter can stand before the command.
  const command = commandNamed(word, commands);
  if (command !== undefined) return run(ctx, command, { ...typed, words, text: words.join(' ') }, interaction);
  return answerToOther(ctx, typed, interaction, answers);
}

const commandNamed = (word: string, commands: readonly Command[]): Command | undefined =>
  commands.find((command) => command.word === word.toLowerCase());

/** What begins with no command: an ID, an incident's number, nothing, or a command that is mistyped. */
async function answerToOther(
  ctx: CommandCtx,
  typed: CommandText,
  interaction: CommandInteraction,
  { commands, lookup, incidentAnswer }: Answers,
): Promise<Answered> {
  const { text } = interaction;
  const [word = '', ...words] = typed.words;
  // `Message: txn_8f2c91` is a label before an ID.
  const isLabel = word.endsWith(':');
  const names = commands.map((command) => command.word);
  const similar = isLabel ? null : nearest(word, names);
  const isOpposite = similar !== null && word.replace(/^un/i, '') === similar;
  // A mistyped command must not send or change anything.
  const isOffered = similar !== null && commandNamed(similar, commands)?.for !== 'operators';
  if (similar !== null && !isOpposite) return mistypedMessage(text, word, similar, isOffered);

  const targets = typedTargets(typed, ctx.environments);
  if (targets.length > 0) {
    const environment = await environmentIn(ctx, interaction.channelId, typed.filters);
    return lookup(targets, environment, interaction.reply);
  }
  const help = commandNamed('help', commands);
  if (word === '' && help) return run(ctx, help, { words, text: '', filters: {} }, interaction);
  const isAlone = words.length === 0;
  if (isAlone && isIncidentNumber(word)) return incidentAnswer(word, interaction);
  refuseMasked(typed.words.join(' '));
  // '17' may be meant as '#17'.
  const number = isAlone && isIncidentNumber(`#${word}`) ? `#${word}` : '';
  return mistypedMessage(text, word, number, true);
}

async function run(
  ctx: CommandCtx,
  command: Command,
  typed: Typed,
  interaction: CommandInteraction,
): Promise<Answered> {
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

async function withPeopleNamed(text: string, { namesOf }: Pick<Workspace, 'namesOf'>): Promise<string> {
  const names = await namesOf([...text.matchAll(MENTION)].map(([, id = '']) => id));
  return text
    .replace(MENTION, (_, id) => `@${names.get(id) ?? 'somebody'}`)
    .replace(/<(#|!subteam\^)\w+\|?>/g, (_, sign) => (sign === '#' ? '#channel' : '@group'));
}

/** Throws for words and filters that the command doesn't take. */
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

/** `similar` is what was probably meant, '' if nothing is; a button runs it if it `isOffered`. */
function mistypedMessage(text: string, word: string, similar: string, isOffered: boolean): MessageContent {
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
