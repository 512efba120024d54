import { z } from 'zod';
import { DIGEST_ROWS } from '../domain/digest.ts';
import { EDIT_EVERY_MS, EDIT_LEASE_MS, freeEdits } from '../domain/editing.ts';
import { EPISODE_MS } from '../domain/episode.ts';
import type { DeliveryStore, PostedMessage } from '../use-cases/deliver-messages.ts';
import type { Database, Sql } from './database.ts';
import { keepUnseen } from './held-back.ts';
import { CountRow } from './row.ts';
import { EDITS, isPaused, pause } from './slack-pauses.ts';

const PostedRow = z
  .object({ id: z.string(), channel: z.string(), ts: z.string(), fingerprint: z.string(), edit_begun_at: z.date() })
  .transform(({ edit_begun_at, ...row }): PostedMessage => ({ ...row, claimedAt: edit_begun_at }));

type Editing = Pick<DeliveryStore, 'claimEdit' | 'noteEdited' | 'noteNotEdited' | 'pauseEdits' | 'noteGone'>;

/** Which posted messages are to be drawn again, and what became of it. */
export function edits(database: Database): Editing {
  return {
    claimEdit: (now) => database.withTransaction((sql) => claimEdit(sql, now)),
    noteEdited: async ({ id, claimedAt }, { fingerprint, failures }) => {
      await database.write(
        `UPDATE digests SET fingerprint = $3, shown_failures = $4, shown_to = drawing_to, drawing_to = NULL WHERE ${OWN}`,
        [id, claimedAt, fingerprint, failures],
      );
    },
    noteNotEdited: async ({ id, claimedAt }, retryAt) => {
      await database.write(
        `UPDATE digests SET drawing_to = NULL, redraw_at = LEAST(redraw_at, $3::timestamptz) WHERE ${OWN}`,
        [id, claimedAt, retryAt],
      );
    },
    pauseEdits: (until) => pause(database, EDITS, until),
    noteGone: ({ id, claimedAt }) =>
      database.withTransaction(async (sql) => {
        await keepUnseen(sql, OWN, [id, claimedAt]);
        await sql.write(END, [id, claimedAt]);
      }),
  };
}

/** Nobody has taken the edit over since. */
const OWN = `id = $1 AND edit_begun_at = $2 AND drawing_to IS NOT NULL AND state = 'posted'`;

async function claimEdit(sql: Sql, now: Date): Promise<PostedMessage | null> {
  // Replicas take turns, so that together they keep to what a minute allows.
  await sql.write('LOCK TABLE edits IN SHARE ROW EXCLUSIVE MODE');
  if (await isPaused(sql, EDITS, now)) return null;
  const free = freeEdits(await editsInLastMinute(sql, now));
  if (free === 'none') return null;
  const [claimed] = await sql.rows(PostedRow, CLAIM, [
    now,
    new Date(now.getTime() - EPISODE_MS),
    new Date(now.getTime() - EDIT_EVERY_MS),
    new Date(now.getTime() - EDIT_LEASE_MS),
    free === 'all',
  ]);
  if (claimed === undefined) return null;
  await sql.write('INSERT INTO edits (begun_at) VALUES ($1)', [now]);
  return claimed;
}

async function editsInLastMinute(sql: Sql, now: Date): Promise<number> {
  await sql.write('DELETE FROM edits WHERE begun_at <= $1', [new Date(now.getTime() - 60_000)]);
  const [edits] = await sql.rows(CountRow, 'SELECT count(*) FROM edits');
  return edits?.count ?? 0;
}

/**
 * Due are at once those that somebody or something has changed (`redraw_at`), and every half minute those whose rows have counted on,
 * or which an edit that nobody said the end of has left in doubt. What is only counted has no row: its message is drawn again with
 * what counts on. A message is edited for a day, a gap's until the gap is closed.
 */
const CLAIM = `
  WITH rows AS MATERIALIZED (
    SELECT a.digest_id, sum(s.failures) AS failures, max(s.last_recorded_at) AS recorded_at
    FROM digests d JOIN announcements a ON a.digest_id = d.id AND a.position <= ${DIGEST_ROWS}
    JOIN spans s ON s.id = a.span_id
    WHERE d.state = 'posted' AND d.posted_at > $2 GROUP BY a.digest_id
  )
  UPDATE digests d SET edit_begun_at = $1, drawing_to = $1,
    redraw_at = CASE WHEN d.redraw_at > $1 THEN d.redraw_at END
  FROM watches w
  WHERE w.id = d.watch_id AND d.id = (
    SELECT posted.id
    FROM digests posted LEFT JOIN rows ON rows.digest_id = posted.id
    CROSS JOIN LATERAL (
      SELECT coalesce(posted.redraw_at <= $1, false) AS is_asked_for, posted.kind = 'counted-only' AS only_counts
    ) asked CROSS JOIN LATERAL (
      SELECT asked.is_asked_for AND NOT asked.only_counts AS has_new_state
    ) state
    WHERE posted.state = 'posted' AND posted.recipient IS NULL
      AND (posted.posted_at > $2 OR (posted.gap_id IS NOT NULL AND (posted.redraw_at <= $1 OR posted.drawing_to IS NOT NULL)))
      AND (posted.drawing_to IS NULL OR posted.edit_begun_at <= $4)
      AND (state.has_new_state OR ($5 AND posted.edit_begun_at <= $3
        AND (asked.is_asked_for OR posted.drawing_to IS NOT NULL OR rows.recorded_at >= posted.shown_to)))
    ORDER BY state.has_new_state DESC, coalesce(rows.failures, 0) - posted.shown_failures DESC, posted.edit_begun_at, posted.id
    LIMIT 1 FOR UPDATE OF posted SKIP LOCKED
  )
  RETURNING d.id, w.channel, d.ts, d.fingerprint, d.edit_begun_at`;

/** A gap's message that is gone stays known as posted, so that the end of the gap is told by a new one. */
const END = `
  UPDATE digests d SET drawing_to = NULL, redraw_at = NULL, begun_at = NULL, unresolved_since = NULL, retry_at = NULL,
    state = CASE
      WHEN d.gap_id IS NULL THEN 'gone'
      WHEN EXISTS (SELECT 1 FROM gaps g WHERE g.id = d.gap_id AND g.closed_at IS NOT NULL) THEN 'waiting'
      ELSE 'posted' END
  WHERE ${OWN}`;
