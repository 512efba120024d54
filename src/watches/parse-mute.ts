import { addMilliseconds } from 'date-fns';
import { isIncidentNumber } from '../incidents/incident-ref.ts';
import { InputError } from '../lib/errors.ts';
import { type FilterMap, onlyValue } from '../lib/input/filters.ts';
import { storableTyped } from '../lib/text/shown-id.ts';
import { HOUR_MS, MINUTE_MS, parseDuration, type TimeRange, WEEK_MS } from '../lib/time/durations.ts';
import { nextWallClock } from '../lib/time/wall-clock.ts';
import { parseClock, parseWeekday } from './setting-values.ts';
import type { MuteRow } from './tables.ts';

/** A time that depends on who typed it, and when. */
export type MuteTime = (now: Date, timeZone: string) => TimeRange;

/** A provider, a workflow, or neither: the whole watch. */
export type MutedPart = Pick<MuteRow, 'provider' | 'workflow'>;

export const WHOLE_WATCH: MutedPart = { provider: null, workflow: null };

export interface MuteWords {
  incidents: readonly string[];
  /** The number of a watch of the channel; null: all its watches are meant. */
  number: number | null;
  part: MutedPart;
  time: MuteTime;
}

export const MUTE_LENGTHS: readonly { value: string; label: string }[] = [
  { value: '30m', label: '30 minutes' },
  { value: '1h', label: 'An hour' },
  { value: '4h', label: '4 hours' },
  { value: '09:00', label: 'Until 09:00, your time' },
  { value: '1d', label: 'A day' },
  { value: '1w', label: 'A week' },
];

export const MUTE_FILTERS = ['from', 'until', 'provider', 'workflow'] as const;

/** The moment at which a time that begins `after` another one ends, or that comes next after it by a wall clock. */
type MomentAfter = (after: Date, timeZone: string) => Date;

export function parseMuteLength(value: string): MuteTime | null {
  const end = parseLength(value) ?? parseTime(value);
  return end && muteTime(null, end);
}

export function parseMuteWords(words: readonly string[], filters: FilterMap): MuteWords {
  const isNumber = (word: string) => /^\d+$/.test(word);
  const incidents = words.filter(isIncidentNumber);
  const numbers = words.filter(isNumber).map(Number);
  const lengths = words.filter((word) => !isIncidentNumber(word) && !isNumber(word));
  const part = parsePart(filters);
  const hasPart = part.provider !== null || part.workflow !== null;
  if (numbers.length > 1 || (incidents.length > 0 && (numbers.length > 0 || hasPart))) return refuse();
  return { incidents, number: numbers[0] ?? null, part, time: parseMuteTime(lengths, filters) };
}

/** The part of a watch that is to be muted, or unmuted. */
export function parsePart(filters: FilterMap): MutedPart {
  const provider = onlyValue('provider', filters);
  const workflow = onlyValue('workflow', filters);
  if (provider !== undefined && workflow !== undefined) return refuse();
  return {
    provider: provider === undefined ? null : storableTyped(provider.toLowerCase()),
    workflow: workflow === undefined ? null : storableTyped(workflow),
  };
}

function refuse(): never {
  const takes =
    'mute takes an incident, the number of a watch, provider: or workflow:, and a time: 1m to 1w, or from: and until: times of the day.';
  throw new InputError('mute', takes, '/notif mute 2h');
}

/** A length, or from: and until:. Without any of these it's an hour. */
function parseMuteTime(lengths: readonly string[], filters: FilterMap): MuteTime {
  const from = onlyValue('from', filters);
  const [end, ...others] = [...lengths.map(parseLength), ...(filters.until ?? []).map(parseTime)];
  if (end === null || others.length > 0) return refuse();
  if (from === undefined) return muteTime(null, end ?? lasting(HOUR_MS));
  const begin = parseTime(from);
  return begin === null || end === undefined ? refuse() : muteTime(begin, end);
}

function muteTime(begin: MomentAfter | null, end: MomentAfter): MuteTime {
  return (now, timeZone) => {
    const from = begin?.(now, timeZone) ?? now;
    return { from, to: end(from, timeZone) };
  };
}

const lasting =
  (ms: number): MomentAfter =>
  (after) =>
    addMilliseconds(after, ms);

function parseLength(text: string): MomentAfter | null {
  const ms = parseDuration(text);
  return ms !== null && ms >= MINUTE_MS && ms <= WEEK_MS ? lasting(ms) : null;
}

/** 14:00, or sat-14:00. */
function parseTime(text: string): MomentAfter | null {
  const [, day, clock = text] = /^([a-z]+)[- ](.+)$/i.exec(text.trim()) ?? [];
  const minutes = parseClock(clock);
  const weekday = day === undefined ? null : parseWeekday(day);
  if (minutes === null || (day !== undefined && weekday === null)) return null;
  return (after, timeZone) => nextWallClock(minutes, timeZone, after, weekday === null ? [] : [weekday]);
}
