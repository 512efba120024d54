import { InputError } from '../errors.ts';
import type { Watch } from './watch.ts';

/** As many as one list shows; more are refused. */
export const MOST_WATCHES = 20;

/** Throws an `InputError` if a channel with these watches has no room for another. */
export function requireRoom(watches: readonly Watch[]): void {
  if (watches.length < MOST_WATCHES) return;
  const message = `A channel has at most ${MOST_WATCHES} watches. Remove one first.`;
  throw new InputError('watch', message, '/notif watches');
}
