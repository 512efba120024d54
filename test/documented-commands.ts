import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-code.ts';

/** A row of docs/commands.md. */
export interface DocumentedCommand {
  readonly word: string;
  /** The keys in its column "filters". */
  readonly filters: readonly string[];
  readonly for: string;
}

/** `/notif word <rest>` | what you get | filters | for */
const ROW = /^\| `\/notif ([a-z]+)[^`]*` \| .+ \| (none|(?:`[a-z]+:` ?)+) \| ([a-z]+) \|$/gm;

/** Returns the commands in the tables of docs/commands.md. */
export function documentedCommands(): readonly DocumentedCommand[] {
  const page = readFileSync(join(ROOT, 'docs/commands.md'), 'utf8');
  return [...page.matchAll(ROW)].map(([, word = '', filters = '', access = '']) => ({
    word,
    filters: [...filters.matchAll(/`([a-z]+):`/g)].map(([, key = '']) => key),
    for: access,
  }));
}
