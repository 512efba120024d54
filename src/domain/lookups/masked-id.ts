import { InputError } from '../errors.ts';
import { writtenFilters } from '../input/filters.ts';
import { recogniseIds } from '../input/ids.ts';
import { isChangedLabel } from '../text/kept-id.ts';
import { MASK } from '../text/mask.ts';

/**
 * Throws an `InputError` for a text whose only ID is masked, as messages show a contact: the service knows the whole one. The failures of
 * one that has its hash can be listed.
 */
export function refuseMasked(text: string): void {
  if (!text.includes(MASK) || recogniseIds(text).length > 0) return;
  const what = 'This ID is masked, and the service knows only the whole one. Give that, or a transaction ID.';
  throw new InputError('event', what, exampleFor(text.split(/\s/)));
}

function exampleFor(words: readonly string[]): string {
  // Notif finds an ID by what it shows of it and the hash behind that: `a•••@example.com #fbhkmgacpela`.
  const pairs = words.map((word, index) => [word, ...words.slice(index + 1, index + 2)].join(' '));
  const kept = pairs.find((pair, index) => words[index]?.includes(MASK) && isChangedLabel(pair));
  return kept === undefined ? '/notif event txn_8f2c91' : `/notif failures ${writtenFilters({ subscriber: [kept] })}`;
}
