import { z } from 'zod';
import { jsonOf, type Sql, type SqlWrite } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { newestSeqIn } from './newest-seq.ts';

/**
 * A watch's position in an environment (`announced…`, `scanned…`), and the polls' position. `has_…`: whether the watch has unsettled mutes
 * or held episodes, in any environment.
 */
const PositionRow = z.object({
  watch_id: z.string(),
  environment: z.string(),
  from_start: z.boolean(),
  announced_to: z.date(),
  announced_seq: Count,
  scanned_seq: Count,
  last_digest_at: z.date().nullable(),
  last_alert_at: z.date().nullable(),
  checked_to: z.date(),
  last_seq: Count,
  newest_seq: Count,
  has_mutes: z.boolean(),
  has_held: z.boolean(),
  events: Count,
  unreadable: Count,
});
export type Position = z.output<typeof PositionRow>;

/** At the environment's start if nothing was read there, else at what has been read: a new watch isn't alerted to what was before it. */
export async function openPositions(sql: SqlWrite, environment: string | null = null): Promise<void> {
  const open = `
    INSERT INTO positions (watch_id, environment, from_start, announced_to, announced_seq, scanned_seq, announced_events, announced_unreadable,
      summed_seq, summed_events, summed_unreadable, summed_failed_events)
    SELECT w.id, c.environment, c.checked_to = c.covered_from AND c.events = 0, c.checked_to,
      newest.seq, newest.seq, c.events, c.unreadable, newest.seq, c.events, c.unreadable, c.failed_events
    FROM watches w CROSS JOIN environments c
    CROSS JOIN LATERAL (SELECT ${newestSeqIn('c')} AS seq) newest
    WHERE w.ended_at IS NULL AND c.environment = coalesce($1, c.environment)
      AND NOT EXISTS (SELECT 1 FROM positions p WHERE p.watch_id = w.id AND p.environment = c.environment)
    ON CONFLICT (watch_id, environment) DO NOTHING`;
  await sql.write(open, [environment]);
}

/** While an environment's cursor is locked, nothing is recorded in it and no other replica announces. */
export async function lockEnvironment(sql: SqlWrite, environment: string): Promise<void> {
  await sql.write('SELECT 1 FROM environments WHERE environment = $1 FOR UPDATE', [environment]);
}

/** Returns a watch's position in an environment, whose cursor it locks; null if it has none. */
export async function lockPosition(sql: Sql, watchId: string, environment: string): Promise<Position | null> {
  await lockEnvironment(sql, environment);
  const [position] = await sql.rows(PositionRow, POSITION, [watchId, environment]);
  return position ?? null;
}

export const HAS_MUTES = 'EXISTS (SELECT 1 FROM mutes m WHERE m.watch_id = p.watch_id AND m.settled_at IS NULL)';
export const HAS_HELD = 'EXISTS (SELECT 1 FROM held_back h WHERE h.watch_id = p.watch_id)';

/** The number of the newest failure of any environment: an episode outlives its failures in the store. */
export const NEWEST_SEQ = 'GREATEST((SELECT max(seq) FROM failures), (SELECT max(newest_seq) FROM episodes))';

/** The newest failure of any environment is at least as new as this one's. */
const POSITION = `
  SELECT p.watch_id, p.environment, p.from_start, GREATEST(p.announced_to, c.covered_from) AS announced_to, p.announced_seq, p.scanned_seq,
    p.last_digest_at, (SELECT max(last_alert_at) FROM positions WHERE watch_id = p.watch_id) AS last_alert_at, c.checked_to,
    c.events - p.announced_events AS events, c.unreadable - p.announced_unreadable AS unreadable,
    GREATEST(p.announced_seq, (SELECT max(seq) FROM failures f WHERE f.environment = c.environment)) AS last_seq,
    GREATEST(p.scanned_seq, ${NEWEST_SEQ}) AS newest_seq, ${HAS_MUTES} AS has_mutes, ${HAS_HELD} AS has_held
  FROM positions p JOIN environments c USING (environment) WHERE p.watch_id = $1 AND p.environment = $2`;

/** Notes that everything was looked at and no message was written. Returns null, since there is no message ID. */
export async function noteLooked(sql: SqlWrite, position: Position): Promise<null> {
  if (position.newest_seq === position.scanned_seq) return null;
  await sql.write('UPDATE positions SET scanned_seq = $3 WHERE watch_id = $1 AND environment = $2', [
    position.watch_id,
    position.environment,
    position.newest_seq,
  ]);
  return null;
}

export async function moveOn(sql: SqlWrite, position: Position): Promise<void> {
  await sql.write(
    `UPDATE positions p SET announced_to = c.checked_to, announced_seq = $3, scanned_seq = $4, announced_events = c.events,
       announced_unreadable = c.unreadable
     FROM environments c WHERE p.watch_id = $1 AND p.environment = $2 AND c.environment = $2`,
    [position.watch_id, position.environment, position.last_seq, position.newest_seq],
  );
}

/** Moves the positions of watches that don't cover an environment to its present, and drops what is held of it for them. */
export async function passBy(sql: SqlWrite, environment: string, watchIds: readonly string[]): Promise<void> {
  await lockEnvironment(sql, environment);
  const values = [environment, jsonOf(watchIds)];
  await sql.write(PASS_BY, values);
  await sql.write(DROP_HELD, values);
}

const PASS_BY = `
  UPDATE positions p SET announced_to = c.checked_to, announced_events = c.events, announced_unreadable = c.unreadable,
    announced_seq = GREATEST(p.announced_seq, (SELECT max(seq) FROM failures f WHERE f.environment = $1)),
    scanned_seq = GREATEST(p.scanned_seq, ${NEWEST_SEQ})
  FROM environments c
  WHERE c.environment = $1 AND p.environment = $1 AND p.watch_id IN (SELECT jsonb_array_elements_text($2::jsonb))`;

const DROP_HELD = `
  DELETE FROM held_back h USING episodes s, groups g
  WHERE h.watch_id IN (SELECT jsonb_array_elements_text($2::jsonb)) AND s.id = h.episode_id AND g.key = s.group_key AND g.environment = $1`;

export async function noteAlert(sql: SqlWrite, { watch_id, environment }: Position, now: Date): Promise<void> {
  await sql.write(
    `UPDATE positions SET last_digest_at = $3, last_alert_at = $3
     WHERE watch_id = $1 AND environment = $2`,
    [watch_id, environment, now],
  );
}
