import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { Count, type Db, jsonOf, onlyRow } from '../store/db.ts';
import { BEFORE, COMPARED_DAYS, DAY, marginOf, NIGHT, type Silence, usualPause } from './usual-pause.ts';

/** Summer time is an hour at most. */
const LONGEST_SHIFT = 60;

const MinutesRow = z.object({ minutes: z.array(z.number()).nullable() });
/** An `OtherWorkflow`. */
const OtherRow = z.object({ now: Count, usual: Count, before: Count });

/** Returns the longest pause that is usual at this time, or null if the workflow isn't silent. */
export async function usualPauseMs(
  db: Db,
  environment: string,
  workflow: string,
  times: Record<keyof Silence, Date>,
): Promise<number | null> {
  const minuteOf = (time: Date) => Math.floor(time.getTime() / MINUTE_MS);
  const silence = {
    since: minuteOf(times.since),
    until: minuteOf(times.until),
    coveredFrom: minuteOf(times.coveredFrom),
  };
  const place = { environment, workflow };
  const { minutes } = onlyRow(await db.rows(MinutesRow, minutesOf(place, silence)));
  const longest = await usualPause(silence, minutes ?? [], (from) => db.rows(OtherRow, othersOf(place, silence, from)));
  return longest && longest * MINUTE_MS;
}

interface Place {
  environment: string;
  workflow: string;
}

const timeOf = (minute: number): SQL => sql`to_timestamp(60 * ${minute}::bigint)`;

const minutesOf = ({ environment, workflow }: Place, silence: Silence): SQL => sql`
  SELECT array_agg(DISTINCT minute ORDER BY minute) AS minutes
  FROM (
    SELECT (date_part('epoch', e.minute) / 60)::integer AS minute
    FROM jsonb_to_recordset(${jsonOf(comparedOf(silence))}::jsonb) AS compared ("from" bigint, "to" bigint)
    JOIN event_counts e
      ON e.environment = ${environment}
      AND e.workflow = ${workflow}
      AND e.events > 0
      AND e.minute >= to_timestamp(60 * compared."from")
      AND e.minute < to_timestamp(60 * compared."to")
  ) known`;

/** Returns what of each day is compared: the longest end of the silence, with its margin, and what was before it. */
function comparedOf(silence: Silence): { from: number; to: number }[] {
  const { since, until } = silence;
  const from = Math.max(since, until - DAY);
  const margin = Math.ceil(marginOf({ silence, from })) + LONGEST_SHIFT;
  return [0, ...COMPARED_DAYS].flatMap((day) => {
    const ago = day * DAY;
    return [
      { from: since - BEFORE - LONGEST_SHIFT - ago, to: since + LONGEST_SHIFT - ago },
      { from: from - margin - ago, to: Math.min(until + margin - ago, until) },
    ];
  });
}

/** Selects an `OtherWorkflow` of each other workflow, for the end of the silence that begins at `from`. */
function othersOf({ environment, workflow }: Place, { since, until, coveredFrom }: Silence, from: number): SQL {
  const ago = from - 7 * DAY >= coveredFrom ? 7 * DAY : DAY;
  const before = timeOf(Math.max(since + 1, from - NIGHT));
  const isBefore = sql`e.minute >= ${before} AND e.minute < ${timeOf(from)}`;
  const isUsual = sql`e.minute >= ${timeOf(from - ago)} AND e.minute < ${timeOf(until - ago)}`;
  return sql`
    SELECT
      count(*) FILTER (WHERE e.minute >= ${timeOf(from)}) AS now,
      count(*) FILTER (WHERE ${isUsual}) AS usual,
      count(*) FILTER (WHERE ${isBefore}) AS before
    FROM event_counts e
    WHERE e.environment = ${environment}
      AND e.workflow NOT IN (${workflow}, '')
      AND e.events > 0
      AND (e.minute >= ${before} AND e.minute < ${timeOf(until)} OR ${isUsual})
    GROUP BY e.workflow`;
}
