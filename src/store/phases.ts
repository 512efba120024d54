import { EPISODE_MS, QUIET_MS } from '../domain/episode.ts';
import type { Database } from './database.ts';

/**
 * Writes down which episodes of an environment have become quiet or recovered by `now`, as `phaseOf` has it in the domain, and has
 * their messages drawn again, also one that is being posted just now. Nobody knows of a time that was not read yet whether it was quiet.
 */
export async function settleEpisodes(database: Database, environment: string, now: Date): Promise<void> {
  await database.write(SETTLE, [environment, now, QUIET_MS / 1000, new Date(now.getTime() - EPISODE_MS)]);
}

const SETTLE = `
  WITH due AS MATERIALIZED (
    SELECT id, group_key FROM spans WHERE phase = 'failing' AND last_recorded_at <= (
      SELECT LEAST($2::timestamptz, read_to) - make_interval(secs => $3) FROM cursors WHERE environment = $1)
    UNION ALL SELECT id, group_key FROM spans WHERE phase = 'quiet' AND sending_since IS NOT NULL
  ), settled AS (
    UPDATE spans s SET phase = CASE WHEN s.sending_since IS NULL THEN 'quiet' ELSE 'recovered' END
    FROM due JOIN groups g ON g.key = due.group_key WHERE s.id = due.id AND g.environment = $1
    RETURNING s.id
  )
  UPDATE digests d SET redraw_at = $2
  WHERE d.state <> 'gone' AND coalesce(d.posted_at, $2) > $4
    AND d.id IN (SELECT a.digest_id FROM announcements a JOIN settled ON settled.id = a.span_id)`;
