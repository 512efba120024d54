import { addMilliseconds } from 'date-fns';
import { InputError } from '../lib/errors.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { isIncidentNumber } from '../lib/input/typed-values.ts';
import { HOUR_MS, MINUTE_MS, parseDuration, WEEK_MS } from '../lib/time/durations.ts';
import { nextWallClock } from '../lib/time/wall-clock.ts';
import { parseClock } from './parse-settings.ts';

export type MuteEnd = (now: Date, timeZone: string) => Date;

const lasting = (ms: number): MuteEnd => {
  return (now) => addMilliseconds(now, ms);
};

export const MUTE_LENGTHS = [
  { value: '30m', label: '30 minutes' },
  { value: '1h', label: 'An hour' },
  { value: '4h', label: '4 hours' },
  { value: '09:00', label: 'Until 09:00, your time' },
  { value: '1d', label: 'A day' },
  { value: '1w', label: 'A week' },
];

export const parseMuteLength = (value: string): MuteEnd | null => parseLength(value) ?? parseUntil(value);

export function parseMuteWords(words: readonly string[], { until = [] }: FilterMap) {
  const incidents = words.filter(isIncidentNumber);
  const isNumber = (word: string) => /^\d+$/.test(word);
  const [number, ...numbers] = words.filter(isNumber).map(Number);
  const times = words.filter((word) => !isIncidentNumber(word) && !isNumber(word));
  const [end = null, ...ends] = [...times.map(parseLength), ...until.map(parseUntil)];
  const isClear = numbers.length === 0 && ends.length === 0 && (number === undefined || incidents.length === 0);
  if (isClear && (end !== null || times.length + until.length === 0))
    return { incidents, number: number ?? null, end: end ?? lasting(HOUR_MS) };
  const what = 'mute takes an incident or the number of a watch, and a time: 1m to 1w, or until: a time of the day.';
  throw new InputError('mute', what, '/notif mute 2h');
}

function parseLength(text: string): MuteEnd | null {
  const ms = parseDuration(text);
  return ms !== null && ms >= MINUTE_MS && ms <= WEEK_MS ? lasting(ms) : null;
}

function parseUntil(text: string): MuteEnd | null {
  const minutes = parseClock(text);
  return minutes === null ? null : (now, timeZone) => nextWallClock(minutes, timeZone, now);
}
