import { subMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS, WEEK_MS } from '../lib/time/durations.ts';
import { CountRow, type Ctx, onlyRow } from '../store/db.ts';
import { summedByKey } from './minutes.ts';

/** More at once would block the embedded database for over a few milliseconds. */
const MOST_ROWS = 500;

type MergeCtx = Pick<Ctx, 'db' | 'now'> & { horizonMs: number };

/**
 * Deliveries of events that are read no more are counted by the quarter hour: by the minute, a month of them would be most of the database, and
 * summaries, stats and charts of such times ask for no less. Returns how many rows were merged.
 */
export async function mergeOldCounts({ db, now, horizonMs }: MergeCtx, signal?: AbortSignal): Promise<number> {
  // A day after events are last read again, and never within the eight days that tell what is usual.
  const before = subMilliseconds(now(), Math.max(horizonMs, WEEK_MS) + DAY_MS);
  let merged = 0;
  while (signal?.aborted !== true) {
    const rows = onlyRow(await db.rows(CountRow, mergedSql(before))).count;
    merged += rows;
    if (rows < MOST_ROWS) break;
  }
  return merged;
}

const quarterOf = (time: SQL): SQL => sql`date_bin('15 minutes', ${time}, 'epoch'::timestamptz)`;

/**
 * A statement doesn't see what it deletes itself, so no deleted row may have the key of a written one: rows that are at a quarter hour already aren't
 * deleted. The condition on environments lets PostgreSQL use the index by environment and creation.
 */
const mergedSql = (before: Date): SQL => sql`
  WITH fine AS (
    DELETE FROM success_counts
    WHERE ctid IN (
      SELECT ctid
      FROM success_counts
      WHERE environment IN (SELECT environment FROM environments)
        AND created < ${before}
        AND (minute, created) <> (${quarterOf(sql`minute`)}, ${quarterOf(sql`created`)})
      LIMIT ${MOST_ROWS})
    RETURNING *
  ),
  merged AS (
    INSERT INTO success_counts AS s
      (environment, channel, provider, workflow, minute, created, successes, last_at, latencies, domains)
    SELECT
      environment,
      channel,
      provider,
      workflow,
      ${quarterOf(sql`minute`)},
      ${quarterOf(sql`created`)},
      sum(successes),
      max(last_at),
      coalesce(${summedByKey(sql`jsonb_agg(latencies)`)}, '{}'),
      ${summedByKey(sql`jsonb_agg(domains)`)}
    FROM fine
    GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (environment, channel, provider, workflow, minute, created) DO UPDATE
    SET
      successes = s.successes + EXCLUDED.successes,
      last_at = GREATEST(s.last_at, EXCLUDED.last_at),
      latencies = coalesce(${summedByKey(sql`jsonb_build_array(s.latencies, EXCLUDED.latencies)`)}, '{}'),
      domains = ${summedByKey(sql`jsonb_build_array(s.domains, EXCLUDED.domains)`)}
  )
  SELECT count(*) FROM fine`;
