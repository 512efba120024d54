import { z } from 'zod';
import { DIGEST_ROWS } from '../domain/digest.ts';
import type { ClaimedDigest, DeliveryStore, PostedDigest } from '../use-cases/deliver-digests.ts';
import type { Database } from './database.ts';

/**
 * Whoever claims a digest is given this long to post it and to say so; afterwards it counts as dead, and the digest goes to
 * somebody else, who looks for it in its channel first. Longer than Slack's client waits for an answer, so that the living are not
 * overtaken; short enough that a crash delays a digest by half a minute only.
 */
export const POSTING_LEASE_MS = 30_000;

const ClaimedRow = z
  .object({ id: z.string(), channel: z.string(), attempt: z.number(), unresolved_since: z.date().nullable() })
  .transform(
    (row): ClaimedDigest => ({
      id: row.id,
      channel: row.channel,
      attempt: row.attempt,
      unresolvedSince: row.unresolved_since,
    }),
  );

const PostedRow = z.object({ id: z.string(), channel: z.string(), ts: z.string(), fingerprint: z.string() });

/** Which digests are to be posted or edited, and what became of it. */
export function deliveries(database: Database): Omit<DeliveryStore, 'content'> {
  return {
    claimDigest: (now) => claimDigest(database, now),
    notePosted: async (digestId, { ts, fingerprint }, now) => {
      await database.write(
        `UPDATE digests SET state = 'posted', ts = $2, fingerprint = $3, posted_at = $4, edit_begun_at = $4,
           shown_to = drawing_to, drawing_to = NULL
         WHERE id = $1`,
        [digestId, ts, fingerprint, now],
      );
    },
    noteNotPosted: async (digestId, reason, retryAt) => {
      await database.write(
        `UPDATE digests SET state = 'waiting', retry_at = $3, last_refusal = $2, begun_at = NULL WHERE id = $1`,
        [digestId, reason, retryAt],
      );
    },
    noteUnresolved: async (digestId, retryAt) => {
      await database.write(
        `UPDATE digests SET state = 'waiting', retry_at = $2, begun_at = NULL,
           unresolved_since = coalesce(unresolved_since, begun_at)
         WHERE id = $1`,
        [digestId, retryAt],
      );
    },
    claimEdits: (now, { editedBefore, postedAfter, limit }): Promise<PostedDigest[]> =>
      database.rows(PostedRow, CLAIM_EDITS, [now, editedBefore, postedAfter, limit]),
    noteEdited: async (digestId, fingerprint) => {
      await database.write(
        'UPDATE digests SET fingerprint = $2, shown_to = drawing_to, drawing_to = NULL WHERE id = $1 AND drawing_to IS NOT NULL',
        [digestId, fingerprint],
      );
    },
    noteNotEdited: async (digestId) => {
      await database.write('UPDATE digests SET drawing_to = NULL WHERE id = $1', [digestId]);
    },
    endAnnouncements: (digestId) => endAnnouncements(database, digestId),
  };
}

/**
 * A post that was begun and never settled may stand in its channel: from then on the digest is unresolved, and what its message shows
 * is what was recorded before it was first begun.
 */
async function claimDigest(database: Database, now: Date): Promise<ClaimedDigest | null> {
  const [claimed] = await database.rows(
    ClaimedRow,
    `UPDATE digests d
     SET state = 'posting', attempt = attempt + 1, begun_at = $1,
       unresolved_since = coalesce(unresolved_since, begun_at),
       drawing_to = coalesce(unresolved_since, begun_at, $1)
     FROM watches w
     WHERE w.id = d.watch_id AND d.id = (
       SELECT id FROM digests
       WHERE watch_id IN (SELECT id FROM watches WHERE ended_at IS NULL) AND ((state = 'waiting' AND (retry_at IS NULL OR retry_at <= $1)) OR (state = 'posting' AND begun_at <= $2))
       ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
     )
     RETURNING d.id, w.channel, d.attempt, d.unresolved_since`,
    [now, new Date(now.getTime() - POSTING_LEASE_MS)],
  );
  return claimed ?? null;
}

/** A row has changed when its span counted something after what the message shows. */
const CLAIM_EDITS = `
  UPDATE digests d SET edit_begun_at = $1, drawing_to = $1
  FROM watches w
  WHERE w.id = d.watch_id AND d.id IN (
    SELECT id FROM digests posted
    WHERE state = 'posted' AND edit_begun_at <= $2 AND posted_at > $3 AND EXISTS (
      SELECT 1 FROM announcements a JOIN spans s ON s.id = a.span_id
      WHERE a.digest_id = posted.id AND a.position <= ${DIGEST_ROWS} AND s.last_recorded_at >= posted.shown_to
    )
    ORDER BY edit_begun_at LIMIT $4 FOR UPDATE SKIP LOCKED
  )
  RETURNING d.id, w.channel, d.ts, d.fingerprint`;

/** What was recorded after the message showed something last, before its end was noticed, is announced as well. */
async function endAnnouncements(database: Database, digestId: string): Promise<void> {
  await database.withTransaction(async (sql) => {
    await sql.write(
      'UPDATE announcements a SET told_to = d.shown_to FROM digests d WHERE d.id = $1 AND a.digest_id = d.id',
      [digestId],
    );
    await sql.write(`UPDATE digests SET state = 'gone' WHERE id = $1`, [digestId]);
  });
}
