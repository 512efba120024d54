import { type Environment, environmentNamed } from '../../lib/environment.ts';
import { type FilterKey, onlyValue } from '../../lib/input/filters.ts';
import { DAY_MS } from '../../lib/time/durations.ts';
import { parseTimeRange } from '../../lib/time/time-range.ts';
import type { SinceRequest } from '../kit/since-request.ts';
import type { CommandLine } from './command.ts';

export interface SinceOptions {
  /** Without `since:`. */
  readonly usualMs: number;
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
  readonly now: () => Date;
}

export const SINCE_FILTERS: readonly FilterKey[] = ['since', 'env'];

/** Throws an `InputError`. */
export function parseSince({ filters, timeZone }: CommandLine, options: SinceOptions): SinceRequest {
  const { usualMs, environments, retentionDays, now } = options;
  const maxDays = Math.max(usualMs / DAY_MS, retentionDays);
  const { from } = parseTimeRange({ since: onlyValue('since', filters) }, now(), {
    durationMs: usualMs,
    maxDays,
    timeZone,
  });
  const named = new Set((filters.env ?? []).map((name) => environmentNamed(name, environments).name));
  return { since: from, environments: [...named], olderThan: null };
}
