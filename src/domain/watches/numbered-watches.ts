import { InputError } from '../errors.ts';
import type { Watch } from './watch.ts';

/** A watch with its number in its channel's list: 1 for the oldest. */
export interface NumberedWatch {
  readonly number: number;
  readonly watch: Watch;
}

export function numbered(watches: readonly Watch[]): NumberedWatch[] {
  return watches.map((watch, index) => ({ number: index + 1, watch }));
}

/** Returns the number after a command, null if nothing is there. Throws an `InputError` for anything else. */
export function watchNumberIn(words: readonly string[], command: string): number | null {
  const [word, ...others] = words;
  if (word === undefined) return null;
  if (/^[1-9]\d{0,2}$/.test(word) && others.length === 0) return Number(word);
  throw new InputError('number', `${command} takes the number of a watch, as /notif watches shows it.`, `${command} 2`);
}

/** Returns the watches of a channel with a number, or all. Throws an `InputError` if there is none. */
export function watchesMeant(
  number: number | null,
  watches: readonly Watch[],
): readonly [NumberedWatch, ...NumberedWatch[]] {
  const [first, ...others] = numbered(watches).filter((one) => number === null || one.number === number);
  if (first !== undefined) return [first, ...others];
  if (watches.length === 0) throw new InputError('watch', 'This channel has no watch.', '/notif watch');
  throw new InputError('number', `This channel has no watch ${number}. /notif watches lists them.`, '/notif watches');
}
