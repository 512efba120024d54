import type { TimeRange } from '../lib/time/time-range.ts';

declare const made: unique symbol;

/** Both counts are of the events created from `from` to `to`, by whole minutes. Only `shareOf` makes one. */
export interface Share {
  readonly failed: number;
  readonly of: number;
  readonly from: Date;
  readonly to: Date;
  readonly [made]: true;
}

/** Null if nothing is known of the range, or less than what failed. */
export function shareOf(failed: number, of: number, { from, to }: TimeRange): Share | null {
  if (of <= 0 || failed > of || from > to) return null;
  return { failed, of, from, to } as Share;
}
