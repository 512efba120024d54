import { addMilliseconds, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { datedAheadMs } from '../../domain/polling/clock.ts';
import { joinedRanges } from '../../domain/time/coverage.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { UNCHECKED_PARTS } from '../../polling/gap-rows.ts';
import type { SqlRows } from '../database/database.ts';

/** What wasn't checked of an environment, by the service's clock, within what was. */
export interface UncheckedTime {
  /** Where the service shows empty time only, an event that it can't show says nothing about the minutes around it, which belong to it. */
  readonly ranges: readonly TimeRange[];
  /** What nobody has tried to check yet, which comes at once: what came after it can't be judged without it. */
  readonly toCome: readonly TimeRange[];
  /** When the newest event was created that was read; null if none was. */
  readonly newestEventAt: Date | null;
}

export const ALL_CHECKED: UncheckedTime = { ranges: [], toCome: [], newestEventAt: null };

const WindowRow = z.object({
  begins_at: z.date(),
  ends_at: z.date(),
  is_to_come: z.boolean(),
  newest_event_at: z.date().nullable(),
});

/** Half of the time in which a row says how an incident does now. */
const AROUND_MS = 2.5 * MINUTE_MS;

export async function uncheckedAfter(sql: SqlRows, environment: string, after: Date): Promise<UncheckedTime> {
  const rows = await sql.rows(WindowRow, UNCHECKED, [environment, subMilliseconds(after, AROUND_MS)]);
  const rangeOf = (row: z.output<typeof WindowRow>, aroundMs: number): TimeRange => ({
    from: subMilliseconds(row.begins_at, aroundMs),
    to: addMilliseconds(row.ends_at, aroundMs),
  });
  return {
    ranges: joinedRanges(rows.map((row) => rangeOf(row, AROUND_MS))),
    toCome: rows.filter((row) => row.is_to_come).map((row) => rangeOf(row, 0)),
    newestEventAt: rows[0]?.newest_event_at ?? null,
  };
}

const UNCHECKED = `
  SELECT u."from" AS begins_at, u."to" AS ends_at, u.tries = 0 AND u."nextTryAt" IS NOT NULL AS is_to_come, c.newest_event_at
  FROM gaps g JOIN environments c USING (environment) CROSS JOIN LATERAL ${UNCHECKED_PARTS}
  WHERE g.environment = $1 AND (g.ends_at IS NULL OR g.ends_at > $2) AND u."to" > $2`;

export interface CheckedSince {
  readonly checkedTo: Date;
  readonly unchecked: readonly TimeRange[];
}

/** Returns what was checked after `since`, by our clock. `cursor`: the environment's. */
export function checkedSince(
  since: Date,
  cursor: { readonly checked_to: Date; readonly clock_ahead_ms: number | null },
  { ranges, toCome }: UncheckedTime,
): CheckedSince {
  const aheadMs = datedAheadMs(cursor.clock_ahead_ms);
  const byOurs = ({ from, to }: TimeRange): TimeRange => ({
    from: subMilliseconds(from, aheadMs),
    to: subMilliseconds(to, aheadMs),
  });
  const ends = toCome
    .map(byOurs)
    .filter(({ to }) => to > since)
    .map(({ from }) => from.getTime());
  return {
    checkedTo: new Date(Math.min(cursor.checked_to.getTime(), ...ends)),
    unchecked: ranges.map(byOurs),
  };
}

/**
 * Returns the last moment before `to`, by the service's clock, that was checked. Once an event was read that came after what wasn't checked,
 * that's `to` again: the service shows what happens now.
 */
export function lastChecked(to: Date, { ranges, newestEventAt }: UncheckedTime): Date {
  const last = ranges.find((range) => range.from < to && range.to >= to);
  if (last === undefined) return to;
  const isOver = newestEventAt !== null && newestEventAt.getTime() >= last.to.getTime() - AROUND_MS;
  return isOver ? to : new Date(Math.min(to.getTime(), last.from.getTime() + AROUND_MS));
}
