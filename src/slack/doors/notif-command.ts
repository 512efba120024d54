import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { type CommandText, parseCommandText } from '../../domain/filters.ts';
import { looksLikeId } from '../../domain/ids.ts';
import { nearest } from '../../domain/names.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { errorCard } from '../blocks/error-card.ts';
import { code, mrkdwn } from '../blocks/text.ts';
import type { Asked, Command } from './command.ts';
import type { Door } from './door.ts';

export interface NotifParts {
  readonly environments: readonly Environment[];
}

/**
 * `/notif`: the first word names a command of the table; nothing asks for help; one word that looks like an id is looked up. Any other word is answered
 * with the nearest command.
 */
export function notifCommand(commands: readonly Command[], parts: NotifParts): Door {
  return {
    surface: 'command',
    name: '/notif',
    answer: async (gesture) => {
      const typed = parseCommandText(gesture.text);
      const choice = choose(commands, typed);
      if (choice === null) return gesture.reply.show(unknownCommand(typed.words[0] ?? '', commands));
      await choice.command.answer(askedOf(typed, choice, parts), gesture);
    },
  };
}

interface Choice {
  readonly command: Command;
  /** What stands behind the command's word. */
  readonly words: readonly string[];
}

function choose(commands: readonly Command[], { words, filters }: CommandText): Choice | null {
  const [word, ...rest] = words;
  if (word === undefined && Object.keys(filters).length > 0) {
    throw new InputError('command', 'What is to be filtered? Name a command first.', '/notif failures channel:email');
  }
  const known = commandFor(commands, word ?? 'help');
  if (known !== undefined) return { command: known, words: rest };
  const lookup = commandFor(commands, 'event');
  return lookup !== undefined && looksLikeId(word ?? '') !== null ? { command: lookup, words } : null;
}

function commandFor(commands: readonly Command[], word: string): Command | undefined {
  return commands.find((command) => command.word === word.toLowerCase());
}

function unknownCommand(word: string, commands: readonly Command[]): MessageContent {
  const known = commands.map((command) => command.word);
  const meant = nearest(word, known);
  const hint =
    meant === null ? mrkdwn`All commands: ${code('/notif help')}.` : mrkdwn`Did you mean ${code(`/notif ${meant}`)}?`;
  const what = mrkdwn`${word} is not a command. ${hint}`;
  return errorCard({ what, next: mrkdwn`To look it up as an id: ${code(`/notif event ${word}`)}.` }, null);
}

function askedOf({ filters }: CommandText, { command, words }: Choice, { environments }: NotifParts): Asked {
  const { env, ...others } = filters;
  const takesAll = command.takesEnvironments ?? false;
  if (!takesAll && env !== undefined && env.length > 1) {
    throw new InputError('env', 'env: takes one environment at a time.', `env:${environments[0]?.name ?? ''}`);
  }
  return { words, filters: takesAll ? filters : others, environment: environmentNamed(env?.[0], environments) };
}
