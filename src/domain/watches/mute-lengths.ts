import { addMilliseconds } from 'date-fns';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import { nextWallClock } from '../time/wall-clock.ts';

/** How long something can be muted, always with an end. `morning` is the next 09:00 of the person who mutes. */
export const MUTE_LENGTHS = ['30m', '1h', '4h', 'morning', '1d', '1w'] as const;
export type MuteLength = (typeof MUTE_LENGTHS)[number];

const MS: { readonly [Length in Exclude<MuteLength, 'morning'>]: number } = {
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': 24 * HOUR_MS,
  '1w': 7 * 24 * HOUR_MS,
};

/** 09:00 */
const MORNING = 9 * 60;

export function muteUntil(length: MuteLength, timeZone: string, now: Date): Date {
  return length === 'morning' ? nextWallClock(MORNING, timeZone, now) : addMilliseconds(now, MS[length]);
}

export function parseMuteLength(value: string | null): MuteLength | null {
  return MUTE_LENGTHS.find((length) => length === value) ?? null;
}
