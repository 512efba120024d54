import type { Access } from '../../domain/access/membership.ts';
import type { Environment } from '../../domain/environment.ts';
import type { FilterMap } from '../../domain/input/filters.ts';
import type { CommandInteraction } from './interaction.ts';

/** A sub-command of `/notif`: what help says of it, and who answers. */
export interface Command {
  readonly word: string;
  /** What may follow the word. */
  readonly usage: string;
  /** What it does, in half a sentence. */
  readonly about: string;
  /** What follows the word in examples. */
  readonly examples: readonly string[];
  readonly for: Access;
  /** `env:` may name several: it is read by the command. */
  readonly takesEnvironments?: boolean;
  /** What follows the word is somebody's text: no filter is looked for in it, and `words` is that text alone. */
  readonly takesText?: true;
  readonly answer: (asked: Asked, interaction: CommandInteraction) => Promise<void>;
}

/** What somebody typed behind the word. */
export interface Asked {
  readonly words: readonly string[];
  /** Without `env:`, which is `environment` already; with it for a command that takes several. */
  readonly filters: FilterMap;
  /** The one that `env:` names, unless the command takes several; else the channel's own, else the first of all. */
  readonly environment: Environment;
}
