import { InputError } from '../../domain/errors.ts';
import { EXAMPLES, type FilterKey, refuseOthers } from '../../domain/input/filters.ts';
import type { Asked, Command } from './command.ts';

/** Throws an `InputError` for the first word or filter that a command doesn't take. */
export function refuseUntaken(
  { word, filters: allowed, follows, refuses }: Omit<Command, 'answer'>,
  { words, filters }: Pick<Asked, 'words' | 'filters'>,
): void {
  const command = `/notif ${word}`;
  if (follows === 'filters') refuseWords(words, command, allowed);
  refuses?.(filters);
  refuseOthers(filters, allowed, command);
}

function refuseWords([word]: readonly string[], command: string, [filter = 'env']: readonly FilterKey[]): void {
  if (word === undefined) return;
  if (/^#\d+$/.test(word)) {
    throw new InputError('filter', `${word} is the number of an incident, not a filter.`, `/notif ${word}`);
  }
  const example = /^(?:help|\?)$/i.test(word) ? command.replace(' ', ' help ') : `${command} ${EXAMPLES[filter]}`;
  throw new InputError('filter', `${word} is not a filter: ${command} takes key:value.`, example);
}
