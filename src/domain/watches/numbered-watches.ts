import { InputError } from '../errors.ts';
import type { Watch } from './watch.ts';

/** Returns the number after a command, null if nothing is there. Throws an `InputError` for anything else. */
export function watchNumberIn(words: readonly string[], command: string): number | null {
  const [word, ...others] = words;
  if (word === undefined) return null;
  if (/^[1-9]\d{0,5}$/.test(word) && others.length === 0) return Number(word);
  throw new InputError('number', `${command} takes the number of a watch, as /notif watches shows it.`, `${command} 2`);
}

/** Returns the watch of a channel with a number, or all. Throws an `InputError` if there is none. */
export function watchesMeant(number: number | null, watches: readonly Watch[]): readonly [Watch, ...Watch[]] {
  const [first, ...others] = watches.filter((watch) => number === null || watch.number === number);
  if (first !== undefined) return [first, ...others];
  if (watches.length === 0) throw new InputError('watch', 'This channel has no watch.', '/notif watch');
  throw new InputError('number', `This channel has no watch ${number}. /notif watches lists them.`, '/notif watches');
}
