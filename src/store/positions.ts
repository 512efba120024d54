import type { Sql } from './database.ts';

/**
 * Gives each watch a position in each environment where it has none yet: at the environment's start where nothing has been read
 * there so far, otherwise at what has been read by now, so that a new watch is not told what happened before it was made.
 */
export async function openPositions(sql: Pick<Sql, 'write'>): Promise<void> {
  await sql.write(`
    INSERT INTO positions (watch_id, environment, from_start, told_to, told_seq, scanned_seq, told_events, told_unreadable)
    SELECT w.id, c.environment, c.read_to = c.covered_from AND c.events = 0, c.read_to,
      newest.seq, newest.seq, c.events, c.unreadable
    FROM watches w CROSS JOIN cursors c
    CROSS JOIN LATERAL (SELECT coalesce(max(seq), 0) AS seq FROM failures f WHERE f.environment = c.environment) newest
    WHERE w.ended_at IS NULL
    ON CONFLICT (watch_id, environment) DO NOTHING`);
}
