import { type Environment, environmentNamed } from '../../lib/environment.ts';
import { type FilterKey, type FilterMap, onlyValue } from '../../lib/input/filters.ts';
import type { Recognized } from '../../lib/input/ids.ts';
import type { Access } from '../../lib/workspace.ts';
import { channelEnvironment } from '../../watches/channel-environment.ts';
import type { SlackCtx } from '../ctx.ts';
import type { ListPage } from '../kit/buttons.ts';
import type { CommandInteraction } from '../kit/interaction.ts';
import type { MessageContent } from '../kit/message.ts';
import type { Reply } from '../kit/reply.ts';
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
