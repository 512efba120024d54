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
  /** Of a watch of the channel; null: all of them. */
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

/** From one moment to another, by the wall clock or a while after. */
type Moment = (after: Date, timeZone: string) => Date;

export function parseMuteLength(value: string): MuteTime | null {
  const end = parseLength(value) ?? parseTime(value);
  return end && ((now, timeZone) => ({ from: now, to: end(now, timeZone) }));
}

const TAKES =
  'mute takes an incident, the number of a watch, provider: or workflow:, and a time: 1m to 1w, or from: and until: times of the day.';

export function parseMuteWords(words: readonly string[], filters: FilterMap): MuteWords {
  const incidents = words.filter(isIncidentNumber);
  const isNumber = (word: string) => /^\d+$/.test(word);
  const [number, ...numbers] = words.filter(isNumber).map(Number);
  const lengths = words.filter((word) => !isIncidentNumber(word) && !isNumber(word));
  const [end = null, ...ends] = [...lengths.map(parseLength), ...(filters.until ?? []).map(parseTime)];
  const typedFrom = onlyValue('from', filters);
  const begin = typedFrom === undefined ? null : parseTime(typedFrom);
  const part = parsePart(filters);
  const isOneTarget = [incidents.length > 0, number !== undefined || isPart(part)].filter(Boolean).length <= 1;
  const isRead = (typedFrom === undefined) === (begin === null) && (end !== null || lengths.length + ends.length === 0);
  const hasEnd = end !== null || (filters.until === undefined && typedFrom === undefined);
  if (numbers.length === 0 && ends.length === 0 && isOneTarget && isRead && hasEnd)
    return { incidents, number: number ?? null, part, time: muteTime(begin, end ?? lasting(HOUR_MS)) };
  throw new InputError('mute', TAKES, '/notif mute 2h');
}

/** Which mutes are ended: all of a watch's own, or those of a provider or workflow. */
export function parsePart(filters: FilterMap): MutedPart {
  const provider = onlyValue('provider', filters);
  const workflow = onlyValue('workflow', filters);
  if (provider !== undefined && workflow !== undefined) throw new InputError('mute', TAKES, '/notif mute 2h');
  return {
    provider: provider === undefined ? null : storableTyped(provider.toLowerCase()),
    workflow: workflow === undefined ? null : storableTyped(workflow),
  };
}

const isPart = ({ provider, workflow }: MutedPart): boolean => provider !== null || workflow !== null;

function muteTime(begin: Moment | null, end: Moment): MuteTime {
  return (now, timeZone) => {
    const from = begin?.(now, timeZone) ?? now;
    return { from, to: end(from, timeZone) };
  };
}

const lasting =
  (ms: number): Moment =>
  (after) =>
    addMilliseconds(after, ms);

function parseLength(text: string): Moment | null {
  const ms = parseDuration(text);
  return ms !== null && ms >= MINUTE_MS && ms <= WEEK_MS ? lasting(ms) : null;
}

/** 14:00, or sat-14:00. */
function parseTime(text: string): Moment | null {
  const [, day, clock = text] = /^([a-z]+)[- ](.+)$/i.exec(text.trim()) ?? [];
  const minutes = parseClock(clock);
  const weekday = day === undefined ? null : parseWeekday(day);
  if (minutes === null || (day !== undefined && weekday === null)) return null;
  return (after, timeZone) => nextWallClock(minutes, timeZone, after, weekday === null ? [] : [weekday]);
}
