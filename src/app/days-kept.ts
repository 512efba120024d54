import type { Config } from '../config.ts';

/** It must recognize a failure that turns up again: after a long absence, events up to twice the horizon old are checked. */
export function daysKept({ retentionDays, horizonHours }: Pick<Config, 'retentionDays' | 'horizonHours'>): number {
  return Math.max(retentionDays, Math.ceil((2 * horizonHours) / 24) + 1);
}
