import type { Config } from '../config.ts';
import { HOUR_MS } from '../domain/time/durations.ts';

export const pollMs = ({ pollSeconds }: Config): number => pollSeconds * 1000;

export const horizonMs = ({ horizonHours }: Config): number => horizonHours * HOUR_MS;

/** A failure that is found again must still be known: events are read up to twice the horizon, after a long absence (`stretchesAt`). */
export function leastDaysKept({ horizonHours }: Pick<Config, 'horizonHours'>): number {
  return Math.ceil((2 * horizonHours) / 24) + 1;
}

export function daysKept(config: Config): number {
  return Math.max(config.retentionDays, leastDaysKept(config));
}
