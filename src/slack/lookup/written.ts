import { plainCommand } from '../../domain/input/command-word.ts';
import { MOST_RECOGNISED, type Recognised, recognise } from '../../domain/input/lookup-target.ts';
import type { Reader } from '../blocks/reader.ts';
import { environmentIn, onlyEnvironment } from '../interactions/environment-in.ts';
import type { CommandInteraction, MessageInteraction } from '../interactions/interaction.ts';
import { textsIn } from '../interactions/message-text.ts';
import type { Lookup, LookupParts } from './lookup.ts';
import { formOfCommand } from './message.ts';

/** On behalf of the person who wrote it. */
export type RunCommand = (interaction: CommandInteraction) => Promise<void>;

export interface WrittenParts extends LookupParts {
  readonly lookup: Lookup;
  readonly runCommand: RunCommand;
  /** The commands' names. */
  readonly commands: readonly string[];
}

const ENVIRONMENTS = /(?<![^\s,;(])env:\s*["“”'‘’]?([\w,-]{1,200})/gi;

export async function answerWritten(
  interaction: MessageInteraction,
  reader: Reader,
  parts: WrittenParts,
): Promise<void> {
  const { text, channelId, reply } = interaction;
  const ids = idsToLookUp(text, parts);
  if (ids.length === 0) return runWritten(interaction, parts);
  const names = [...text.matchAll(ENVIRONMENTS)].flatMap(([, list = '']) =>
    list.split(',').filter((one) => one !== ''),
  );
  const environment = await environmentIn(channelId, onlyEnvironment(names, parts), parts);
  const found = await parts.lookup.show(ids, environment, reader, interaction);
  if (found !== null) await reply.show(found.content);
}

/** None if it begins with a command's word: those take IDs of their own. */
export function idsToLookUp(
  text: string,
  { commands, environments }: Pick<WrittenParts, 'commands' | 'environments'>,
): readonly Recognised[] {
  const [first = ''] = plainCommand(text, commands).split(/\s+/);
  return commands.includes(first.toLowerCase()) ? [] : recognise(textsIn({ text }), environments, MOST_RECOGNISED + 1);
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
