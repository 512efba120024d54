import { refuseOthers } from '../../domain/input/filters.ts';
import { refuseWords } from '../../domain/input/stray-words.ts';
import type { Asked, Command } from './command.ts';

/** Throws an `InputError` for the first word or filter that a command doesn't take. `environments`: the names of all. */
export function refuseUntaken(
  { word, filters: allowed, usualFilter: usual, refuses }: Omit<Command, 'answer'>,
  { words, filters }: Pick<Asked, 'words' | 'filters'>,
  environments: readonly string[],
): void {
  const command = `/notif ${word}`;
  if (usual !== undefined) refuseWords(words, { command, allowed, usual, environments });
  refuses?.(filters);
  refuseOthers(filters, allowed, command);
}
