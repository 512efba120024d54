import { addMilliseconds } from 'date-fns';
import { InputError } from '../errors.ts';
import { withoutPunctuation } from '../fold.ts';
import type { FilterMap } from '../input/filters.ts';
import { HOUR_MS, WEEK_MS } from '../time/durations.ts';
import { parseDuration } from '../time/time-range.ts';
import { nextShown } from '../time/wall-clock.ts';
import { parseClock } from './watch-values.ts';

/** When a mute ends: after a duration, or at the next time that clocks in somebody's zone show, in minutes of the day. */
export type MuteEnd = { readonly end: 'after'; readonly ms: number } | { readonly end: 'at'; readonly minutes: number };

export interface NamedPlace {
  readonly environment: string;
  readonly isEnvironmentNamed: boolean;
}

export interface IncidentTyped extends NamedPlace {
  readonly words: readonly string[];
}

export interface MuteByName extends IncidentTyped {
  readonly end: MuteEnd;
}

export interface MuteWords {
  /** The watch's number in the channel's list; null for all of the channel. */
  readonly number: number | null;
  readonly end: MuteEnd;
}

const EXAMPLE = '/notif mute 2h';

/** Takes words of `joinedTimes`. An hour by default. Throws an `InputError` for anything else, and for more than a week. */
export function parseMuteWords(words: readonly string[], filters: FilterMap): MuteWords {
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const others = words.filter((word) => !/^\d+$/.test(word));
  if (numbers.length > 1 || others.length > 1) throw wrong('mute takes one time and one number of a watch.');
  const [number = null] = numbers.map(Number);
  return { number, end: endMeant(others[0], filters.until ?? []) };
}

const UNIT = /^(?:[smhdw]|(?:sec|min|hr|hour|day|week)\w*)$/i;

/** Returns the words of `/notif mute` with times in one word (`2 h`), without punctuation after a word, and without a `for` before a time. */
export function joinedTimes(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words.map(withoutPunctuation)) {
    const before = joined.at(-1);
    if (before !== undefined && /^\d+$/.test(before) && UNIT.test(word)) joined[joined.length - 1] = before + word;
    else joined.push(word);
  }
  return joined.filter((word, at) => word.toLowerCase() !== 'for' || !isMeantAsTime(joined[at + 1] ?? ''));
}

/** A number, with or without a sign, a unit or what people write for one: '2', '2h', '-1h', '1.5h', '30 minutes', '14:00', '2pm'. */
const NUMBER_OR_TIME = /^[+-]?\d+(?:[.,:]\d+)?(?:s|sec\w*|m|min\w*|h|hrs?|hours?|d|days?|w|weeks?|[ap]m)?$/i;

/** Returns whether a word of `/notif mute` was meant as a time or as the number of a watch, whether or not it is one. */
export function isMeantAsTime(word: string): boolean {
  return NUMBER_OR_TIME.test(word) || parseDuration(word.toLowerCase()) !== null;
}

export function endOfMute(end: MuteEnd, timeZone: string, now: Date): Date {
  return end.end === 'after' ? addMilliseconds(now, end.ms) : nextShown(end.minutes, timeZone, now);
}

const BOTH = 'A mute ends after a time such as 2h, or at until: a time of the day, not both.';

function endMeant(word: string | undefined, until: readonly string[]): MuteEnd {
  if (until.length > 0) {
    if (word !== undefined) throw wrong(BOTH);
    const minutes = until.length === 1 ? parseClock(until[0] ?? '') : null;
    if (minutes === null) throw new InputError('until', 'until: takes one time of the day.', '/notif mute until:14:00');
    return { end: 'at', minutes };
  }
  const ms = word === undefined ? HOUR_MS : parseDuration(word.toLowerCase());
  if (ms === null) throw wrong(`${word} is no time that a mute can last.`, exampleFor(word ?? ''));
  if (ms < 60_000 || ms > WEEK_MS) throw wrong('A mute lasts a minute at least and a week at most.');
  return { end: 'after', ms };
}

/** A time of the day is written with `until:`. */
function exampleFor(word: string): string {
  return parseClock(word) === null ? EXAMPLE : `/notif mute until:${word}`;
}

function wrong(message: string, example: string = EXAMPLE): InputError {
  return new InputError('mute', message, example);
}
