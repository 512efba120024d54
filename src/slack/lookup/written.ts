import type { Environment } from '../../domain/environment.ts';
import { MOST_RECOGNISED, type Recognised, recognise } from '../../domain/input/lookup-target.ts';
import { nearest } from '../../domain/nearest.ts';
import { foundAnswer } from '../blocks/words/lookup-answer.ts';
import { environmentIn } from '../interactions/environment-in.ts';
import type { CommandInteraction, MessageInteraction } from '../interactions/interaction.ts';
import type { Audience, Lookup, LookupParts } from './lookup.ts';
import { formOfCommand, nothingToLookFor } from './message.ts';

/** Runs what stands behind `/notif`, in the name of the person whose interaction it is. */
export type RunCommand = (interaction: CommandInteraction) => Promise<void>;

export interface WrittenParts extends LookupParts {
  readonly lookup: Lookup;
  readonly runCommand: RunCommand;
  /** The words that commands begin with. */
  readonly words: readonly string[];
}

/** What somebody wrote to Notif: the texts to look for IDs in, and their own words. */
type Written = Pick<MessageInteraction, 'text' | 'texts' | 'parentText'>;

const ENVIRONMENT = /(?<!\S)env:([\w-]{1,40})(?![\w-])/i;
const FILTER = /^[a-z]+:\S/i;

/** Answers a message to Notif: runs it as a command where it is one, else looks up what it names. */
export async function answerWritten(
  interaction: MessageInteraction,
  audience: Audience,
  parts: WrittenParts,
): Promise<void> {
  const { text, texts, channelId, reply, aside, parentText } = interaction;
  const own = idsIn(texts, parts.environments);
  const isCommand = isCommandText(text, own, parts.words);
  const isAbout = isAboutThread(interaction, own, parts.words);
  if (isCommand && !isAbout) return runWritten(interaction, parts);
  const above = isAbout && parentText !== null ? idsIn([await parentText()], parts.environments) : [];
  if (isCommand && above.length === 0) return runWritten({ ...interaction, reply: aside }, parts);
  const ids = own.length > 0 ? own : above;
  const environment = await environmentIn(channelId, text.match(ENVIRONMENT)?.[1], parts);
  const found = await parts.lookup.show(ids, environment, audience, interaction);
  await reply.show((found ?? foundAnswer(nothingToLookFor())).content);
}

/** Whether a message is answered as a command: to the person alone. */
export function isCommandIn(written: Written, words: readonly string[], environments: readonly Environment[]): boolean {
  const ids = idsIn(written.texts, environments);
  return isCommandText(written.text, ids, words) && !isAboutThread(written, ids, words);
}

function idsIn(texts: readonly string[], environments: readonly Environment[]): readonly Recognised[] {
  const recognised = texts.map((one) => recognise(one.replace(ENVIRONMENT, ' '), environments, MOST_RECOGNISED + 1));
  return recognised.find((all) => all.length > 0) ?? [];
}

/**
 * A message that begins with a command's word is that command, but for a sentence with an ID in it: 'event txn_1' is one, 'status of txn_1, please' isn't.
 * Without an ID, a single word and a mistyped command are answered as `/notif` answers them.
 */
function isCommandText(text: string, ids: readonly Recognised[], words: readonly string[]): boolean {
  const [first = '', ...others] = text.split(/\s+/);
  if (words.includes(first.toLowerCase())) return ids.length === 0 || others.filter(isPlain).length <= 1;
  return ids.length === 0 && (others.length === 0 || nearest(first, words) !== null);
}

/** In a thread, what has no ID and begins with no command's word, not even mistyped, is about the message that the thread is below. */
function isAboutThread({ text, parentText }: Written, ids: readonly Recognised[], words: readonly string[]): boolean {
  const [first = ''] = text.split(/\s+/);
  return parentText !== null && ids.length === 0 && nearest(first, words) === null;
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

/** A form can't be opened for a message: Slack asks for a click or a command. */
class NoClickError extends Error {
  override readonly name = 'NoClickError';

  constructor() {
    super('no form can be opened for a message');
  }
}
