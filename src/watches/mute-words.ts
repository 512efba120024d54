import { addMilliseconds } from 'date-fns';
import { InputError } from '../lib/errors.ts';
import { withoutPunctuation } from '../lib/fold.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { isIncidentNumber } from '../lib/input/typed-values.ts';
import { HOUR_MS, MINUTE_MS, WEEK_MS } from '../lib/time/durations.ts';
import { parseDuration } from '../lib/time/time-range.ts';
import { nextWallClock } from '../lib/time/wall-clock.ts';
import { parseClock } from './parse-settings.ts';

/** When a mute ends: after a duration, or at the next time that clocks in somebody's zone show, in minutes of the day. */
export type MuteEnd = { readonly end: 'after'; readonly ms: number } | { readonly end: 'at'; readonly minutes: number };

export function endOfMute(end: MuteEnd, timeZone: string, now: Date): Date {
  return end.end === 'after' ? addMilliseconds(now, end.ms) : nextWallClock(end.minutes, timeZone, now);
}

/** How long a form offers to mute. `morning` is the next 09:00 of the person who mutes. */
export const MUTE_LENGTHS = {
  '30m': { end: 'after', ms: 30 * MINUTE_MS },
  '1h': { end: 'after', ms: HOUR_MS },
  '4h': { end: 'after', ms: 4 * HOUR_MS },
  morning: { end: 'at', minutes: 9 * 60 },
  '1d': { end: 'after', ms: 24 * HOUR_MS },
  '1w': { end: 'after', ms: WEEK_MS },
} as const satisfies Readonly<Record<string, MuteEnd>>;
export type MuteLength = keyof typeof MUTE_LENGTHS;

export function parseMuteLength(value: string | null): MuteEnd | null {
  return value !== null && Object.hasOwn(MUTE_LENGTHS, value) ? MUTE_LENGTHS[value as MuteLength] : null;
}

export interface MuteWords {
  /** As they were typed: '#17'. */
  readonly incidents: readonly string[];
  /** The watch's number in the channel's list; null for all of the channel. */
  readonly number: number | null;
  readonly end: MuteEnd;
}

const EXAMPLE = '/notif mute 2h';

/** An hour by default. Throws an `InputError` for anything else, and for more than a week. */
export function parseMuteWords(typed: readonly string[], filters: FilterMap): MuteWords {
  const words = joinedTimes(typed);
  const incidents = words.filter(isIncidentNumber);
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const times = words.filter((word) => !incidents.includes(word) && !numbers.includes(word));
  if (incidents.length > 0 && numbers.length > 0)
    throw wrong('/notif mute takes an incident or the number of a watch, not both.', '/notif mute #17 2h');
  if (numbers.length > 1 || times.length > 1) throw wrong('mute takes one time and one number of a watch.');
  const [number = null] = numbers.map(Number);
  return { incidents, number, end: parseEnd(times[0], filters.until ?? []) };
}

/** '2 h' and 'for 2h.' are 2h, 'incident #17' is #17. */
function joinedTimes(words: readonly string[]): string[] {
  const text = words.map(withoutPunctuation).join(' ');
  const joined = text.replace(/(?<=(?:^| )\d+) (?=(?:[smhdw]|(?:sec|min|hr|hour|day|week)\w*)(?: |$))/gi, '');
  return joined.split(' ').filter((word) => word !== '' && !/^(?:for|incidents?)$/i.test(word));
}

function parseEnd(word: string | undefined, until: readonly string[]): MuteEnd {
  if (until.length > 0) {
    if (word !== undefined)
      throw wrong('A mute ends after a time such as 2h, or at until: a time of the day, not both.');
    const minutes = until.length === 1 ? parseClock(until[0] ?? '') : null;
    if (minutes === null) throw new InputError('until', 'until: takes one time of the day.', '/notif mute until:14:00');
    return { end: 'at', minutes };
  }
  const ms = word === undefined ? HOUR_MS : parseDuration(word.toLowerCase());
  if (ms === null) {
    const example = parseClock(word ?? '') === null ? EXAMPLE : `/notif mute until:${word}`;
    throw wrong(`${word} is no time that a mute can last.`, example);
  }
  if (ms < MINUTE_MS || ms > WEEK_MS) throw wrong('A mute lasts a minute at least and a week at most.');
  return { end: 'after', ms };
}

function wrong(message: string, example: string = EXAMPLE): InputError {
  return new InputError('mute', message, example);
}
