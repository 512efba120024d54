import type { Config } from '../config.ts';
import { HOUR_MS } from '../domain/time/durations.ts';

export const pollMs = ({ pollSeconds }: Config): number => pollSeconds * 1000;

export const horizonMs = ({ horizonHours }: Config): number => horizonHours * HOUR_MS;

/** It must recognize a failure that turns up again: after a long absence, events up to twice the horizon old are checked. */
export function daysKept({ retentionDays, horizonHours }: Pick<Config, 'retentionDays' | 'horizonHours'>): number {
  return Math.max(retentionDays, Math.ceil((2 * horizonHours) / 24) + 1);
}
