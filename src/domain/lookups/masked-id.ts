import { InputError } from '../errors.ts';
import { recogniseIds } from '../input/ids.ts';
import { MASK } from '../text/mask.ts';

/** Throws an `InputError` for a text whose only ID is masked, as messages show a contact: the service knows the whole one. */
export function refuseMasked(text: string): void {
  if (!text.includes(MASK) || recogniseIds(text).length > 0) return;
  const what = 'This ID is masked, and the service knows only the whole one. Give that, or a transaction ID.';
  throw new InputError('event', what, '/notif event txn_8f2c91');
}
