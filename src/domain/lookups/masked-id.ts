import { InputError } from '../errors.ts';
import { writtenFilters } from '../input/filters.ts';
import { recogniseIds } from '../input/ids.ts';
import { MASK } from '../text/mask.ts';

/** Notif shows it behind a masked ID and finds the ID by both: `a•••@example.com #fbhkmgacpela`. */
const HASH = /^#[a-p]{12}$/;

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
  const at = words.findIndex((word, index) => word.includes(MASK) && HASH.test(words[index + 1] ?? ''));
  if (at === -1) return '/notif event txn_8f2c91';
  return `/notif failures ${writtenFilters({ subscriber: [words.slice(at, at + 2).join(' ')] })}`;
}
