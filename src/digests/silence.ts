import { addMilliseconds, subDays, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { datedAheadMs } from '../domain/polling/clock.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';

/** An environment in which no event is created for far longer than usual. Times are the service's. */
export interface Silence {
  /** Of the last event before it. */
  readonly since: Date;
  /** The longest pause between two events in the days before. */
  readonly usualMs: number;
}

const LEAST_MS = 30 * MINUTE_MS;
const TIMES_USUAL = 2;
const USUAL_DAYS = 8;
/** An environment with fewer minutes that had events has no usual pause. */
const FEWEST_MINUTES = 60;

const LastRow = z.object({ newest_event_at: z.date(), clock_ahead_ms: Count.nullable() });
const UsualRow = z.object({ longest_ms: Count.nullable(), minutes: Count });

/** Null while events are created as usual, and while the list can't be read: that is a gap. */
export async function silenceIn(db: Db, environment: string, now: Date): Promise<Silence | null> {
  const [last] = await db.rows(LastRow, LAST, [environment, subMilliseconds(now, LEAST_MS)]);
  if (last === undefined) return null;
  const since = last.newest_event_at;
  const [usual] = await db.rows(UsualRow, USUAL, [environment, subDays(since, USUAL_DAYS), since]);
  if (usual === undefined || usual.longest_ms === null || usual.minutes < FEWEST_MINUTES) return null;
  const leastMs = Math.max(LEAST_MS, TIMES_USUAL * usual.longest_ms);
  const isLong = addMilliseconds(since, leastMs) <= addMilliseconds(now, datedAheadMs(last.clock_ahead_ms));
  return isLong ? { since, usualMs: usual.longest_ms } : null;
}

const LAST = `
  SELECT newest_event_at, clock_ahead_ms FROM environments c
  WHERE environment = $1 AND newest_event_at < $2 AND checked_to > $2 AND problem IS NULL
    AND NOT EXISTS (SELECT FROM gaps g WHERE g.environment = c.environment AND g.closed_at IS NULL AND g.begins_at > c.newest_event_at)`;

const USUAL = `
  SELECT extract(epoch FROM max(pause)) * 1000 AS longest_ms, count(*) AS minutes FROM (
    SELECT minute - lag(minute) OVER (ORDER BY minute) AS pause FROM event_counts
    WHERE environment = $1 AND minute BETWEEN $2 AND $3 AND events > 0 GROUP BY minute
  ) pauses`;
