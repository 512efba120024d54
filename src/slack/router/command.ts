import type { Environment } from '../../lib/environment.ts';
import type { FilterKey, FilterMap } from '../../lib/input/filters.ts';
import type { Access } from '../../lib/people.ts';
import type { CommandInteraction } from './interaction.ts';
import type { Route } from './route.ts';

/** Commands are in the order of help. */
export interface Flow {
  readonly commands: readonly Command[];
  readonly routes: readonly Route[];
}

export interface Command {
  readonly word: string;
  /** What can follow the word. */
  readonly usage: string;
  /** As part of a sentence. */
  readonly about: string;
  /** What follows the word in examples. */
  readonly examples: readonly string[];
  readonly for: Access;
  /** Others are refused before it is asked; help shows them, and so does the error for an unknown one. */
  readonly filters: readonly FilterKey[];
  /** Throws an `InputError` for filters that it can refuse with a reason of its own. */
  readonly refuses?: (filters: FilterMap) => void;
  /** How many environments `env:` can name, one unless given. The command itself parses `several`, and refuses `env:` if it takes `none`. */
  readonly environments?: 'several' | 'none';
  /**
   * What follows the word, unless it's words as usual. `filters`: nothing else. `text`: no filters are parsed from it, and `words` contains only that text.
   * `incident`: its names, which may look like IDs. `ids`: as people paste them, labels before them are words (`Event ID: …`).
   */
  readonly follows?: 'filters' | 'text' | 'incident' | 'ids';
  readonly answer: (line: CommandLine, interaction: CommandInteraction) => Promise<void>;
}

export interface CommandLine {
  readonly words: readonly string[];
  /** Without `env:`, which is already in `environment`; with it for a command that takes several or none. */
  readonly filters: FilterMap;
  /** The one that `env:` names, unless the command takes several or none; else the channel's own, else the first. The first for none. */
  readonly environment: Environment;
  /** The person's time zone, an IANA name, if `since:` or `until:` depends on it; else, and if Slack gives none, UTC. */
  readonly timeZone: string;
}
