import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { plainCommand } from '../../domain/input/command-word.ts';
import { FILTER_KEYS, parseLookupText } from '../../domain/input/filters.ts';
import { MOST_RECOGNISED, type Recognised, recognise } from '../../domain/input/lookup-target.ts';
import { typedTargets } from '../../domain/lookups/typed-lookup.ts';
import { nearest } from '../../domain/nearest.ts';
import type { Reader } from '../blocks/reader.ts';
import { foundAnswer } from '../blocks/words/lookup-answer.ts';
import type { Command } from '../interactions/command.ts';
import { environmentIn, onlyEnvironment } from '../interactions/environment-in.ts';
import type { CommandInteraction, MessageInteraction } from '../interactions/interaction.ts';
import type { Lookup, LookupParts } from './lookup.ts';
import { formOfCommand, nothingToLookFor } from './message.ts';

/** Runs what was typed after `/notif`, on behalf of the person who wrote it. */
export type RunCommand = (interaction: CommandInteraction) => Promise<void>;

export interface WrittenParts extends LookupParts {
  readonly lookup: Lookup;
  readonly runCommand: RunCommand;
  readonly commands: readonly WrittenCommand[];
}

/** A command as a message may name it. */
export type WrittenCommand = Pick<Command, 'word' | 'follows'>;

/** A message to Notif: the texts in which to look for IDs, and the person's own words. */
type Written = Pick<MessageInteraction, 'text' | 'texts' | 'parentText'>;

const ENVIRONMENTS = /(?<![^\s,;(])env\s?:\s*["“”'‘’]?([\w-]{1,40}(?:,[\w-]{1,40})*)(?![\w-])/gi;
/** Nobody types more filters than this; a log that is pasted has thousands of words that look like some. */
const LONGEST_FILTERS = 2_000;
const FILTER = /^[a-z]+:\S/i;
const KEY_BEFORE_SPACE = new RegExp(`(?<!\\S)(${FILTER_KEYS.join('|')}):\\s+`, 'gi');

/** Answers a message to Notif: runs it if it's a command, else looks up what it refers to. */
export async function answerWritten(
  interaction: MessageInteraction,
  reader: Reader,
  parts: WrittenParts,
): Promise<void> {
  const { text, channelId, reply, aside, parentText } = interaction;
  const own = ownIds(interaction, parts.environments);
  const isCommand = isCommandText(text, own, parts.commands);
  const isAbout = isAboutThread(interaction, own, parts.commands);
  if (isCommand && !isAbout) return runWritten(interaction, parts);
  const above = isAbout && parentText !== null ? idsIn([await parentText()], parts.environments) : [];
  if (isCommand && above.length === 0) return runWritten({ ...interaction, reply: aside }, parts);
  const ids = own.length > 0 ? own : above;
  const named = onlyEnvironment(environmentNames(text, parts.environments), parts);
  const environment = await environmentIn(channelId, named, parts);
  const found = await parts.lookup.show(ids, environment, reader, interaction);
  await reply.show((found ?? foundAnswer(nothingToLookFor())).content);
}

/** Returns whether a message is answered like a command: only to the person. */
export function isCommandIn(
  written: Written,
  commands: readonly WrittenCommand[],
  environments: readonly Environment[],
): boolean {
  const ids = ownIds(written, environments);
  return isCommandText(written.text, ids, commands) && !isAboutThread(written, ids, commands);
}

/** Returns what is recognized in a message, else the values of the filters in the person's own words, whatever these look like. */
function ownIds({ text, texts }: Written, environments: readonly Environment[]): readonly Recognised[] {
  const recognised = idsIn(texts, environments);
  return recognised.length > 0 ? recognised : idsOfFilters(text, environments);
}

function idsIn(texts: readonly string[], environments: readonly Environment[]): readonly Recognised[] {
  const recognised = texts.map((one) =>
    recognise(withoutEnvironments(one, environments), environments, MOST_RECOGNISED + 1),
  );
  return recognised.find((all) => all.length > 0) ?? [];
}

function idsOfFilters(text: string, environments: readonly Environment[]): readonly Recognised[] {
  try {
    const { filters } = parseLookupText(beginningOf(text));
    return typedTargets({ words: [], filters }, environments, MOST_RECOGNISED + 1);
  } catch (error) {
    // The command says what is wrong with the filters, if the message is one.
    if (error instanceof InputError) return [];
    throw error;
  }
}

/** A filter that the bound cuts isn't read at all, as half an ID is another one. */
function beginningOf(text: string): string {
  return text.length <= LONGEST_FILTERS ? text : text.slice(0, LONGEST_FILTERS + 1).replace(/\S+$/, '');
}

function environmentNames(text: string, environments: readonly Environment[]): string[] {
  return [...text.matchAll(ENVIRONMENTS)].flatMap(([, list = '']) => valuesOf(list, environments).names);
}

function withoutEnvironments(text: string, environments: readonly Environment[]): string {
  return text.replace(ENVIRONMENTS, (_, list: string) => ` ${valuesOf(list, environments).others.join(' ')} `);
}

/** Separates the values of `env:`. In a sentence, what follows a comma is another environment only if there is one of that name. */
function valuesOf(list: string, environments: readonly Environment[]) {
  const values = list.split(',');
  const isName = (value: string, at: number) =>
    at === 0 || environments.some(({ name }) => name === value.toLowerCase());
  return { names: values.filter(isName), others: values.filter((value, at) => !isName(value, at)) };
}

/**
 * Returns whether a message is a command. It is if it begins with a command's word, unless it's a sentence with an ID: 'event txn_1' is a
 * command, 'status of txn_1, please' isn't. A command that free text or an incident's names follow is one whatever these look like. Without
 * an ID, single words and mistyped commands are answered as by `/notif`.
 */
function isCommandText(text: string, ids: readonly Recognised[], commands: readonly WrittenCommand[]): boolean {
  const [first, others] = wordsOf(text, commands);
  const command = commands.find(({ word }) => word === first.toLowerCase());
  if (command?.follows === 'text' || command?.follows === 'incident') return true;
  if (command !== undefined) return ids.length === 0 || others.filter(isPlain).length <= 1;
  return ids.length === 0 && (others.length === 0 || nearestCommand(first, commands) !== null);
}

/**
 * Returns whether a message refers to the one at the top of its thread: it has no ID and doesn't begin with a command's word, not even a
 * mistyped one.
 */
function isAboutThread(
  { text, parentText }: Written,
  ids: readonly Recognised[],
  commands: readonly WrittenCommand[],
): boolean {
  const [first] = wordsOf(text, commands);
  return parentText !== null && ids.length === 0 && nearestCommand(first, commands) === null;
}

function wordsOf(text: string, commands: readonly WrittenCommand[]): readonly [first: string, others: string[]] {
  const plain = plainCommand(text, namesOf(commands)).replace(KEY_BEFORE_SPACE, '$1:');
  const [first = '', ...others] = plain.split(/\s+/);
  return [first, others];
}

function nearestCommand(word: string, commands: readonly WrittenCommand[]): string | null {
  return nearest(word, namesOf(commands));
}

function namesOf(commands: readonly WrittenCommand[]): string[] {
  return commands.map(({ word }) => word);
}

function isPlain(word: string): boolean {
  return !FILTER.test(word);
}

async function runWritten(interaction: MessageInteraction, parts: WrittenParts): Promise<void> {
  const { text, reply, userId, channelId, threadTs } = interaction;
  try {
    await parts.runCommand({ text, reply, userId, channelId, threadTs, answerUrl: null, openModal: refuseModal });
  } catch (error) {
    if (!(error instanceof NoClickError)) throw error;
    await reply.show(formOfCommand(text, parts.seal));
  }
}

async function refuseModal(): Promise<never> {
  throw new NoClickError();
}

/** A message can't open a form: Slack requires a click or a command. */
class NoClickError extends Error {
  override readonly name = 'NoClickError';

  constructor() {
    super('no form can be opened for a message');
  }
}
