import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { type CommandText, parseCommandText } from '../../domain/filters.ts';
import { looksLikeId } from '../../domain/ids.ts';
import { nearest } from '../../domain/names.ts';
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
      const { command, words } = choose(commands, typed);
      await command.answer(askedOf(typed, words, parts), gesture);
    },
  };
}

interface Choice {
  readonly command: Command;
  /** What stands behind the command's word. */
  readonly words: readonly string[];
}

function choose(commands: readonly Command[], { words, filters }: CommandText): Choice {
  const [word, ...rest] = words;
  if (word === undefined && Object.keys(filters).length > 0) {
    throw new InputError('command', 'What is to be filtered? Name a command first.', '/notif failures channel:email');
  }
  const known = commandFor(commands, word ?? 'help');
  if (known !== undefined) return { command: known, words: rest };
  const lookup = commandFor(commands, 'event');
  if (lookup !== undefined && looksLikeId(word ?? '') !== null) return { command: lookup, words };
  throw unknownCommand(word ?? '', commands);
}

function commandFor(commands: readonly Command[], word: string): Command | undefined {
  return commands.find((command) => command.word === word.toLowerCase());
}

function unknownCommand(word: string, commands: readonly Command[]): InputError {
  const meant = nearest(
    word,
    commands.map((command) => command.word),
  );
  const hint = meant === null ? 'The commands are in /notif help.' : `Did you mean /notif ${meant}?`;
  return new InputError('command', `${word} is not a command. ${hint}`, `to look it up as an id, /notif event ${word}`);
}

function askedOf({ filters }: CommandText, words: readonly string[], { environments }: NotifParts): Asked {
  const { env, ...others } = filters;
  if (env !== undefined && env.length > 1) {
    throw new InputError('env', 'env: takes one environment at a time.', `env:${environments[0]?.name ?? ''}`);
  }
  return { words, filters: others, environment: environmentNamed(env?.[0], environments) };
}
