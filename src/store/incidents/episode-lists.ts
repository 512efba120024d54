import { z } from 'zod';
import type { Affected, EpisodeFailure } from '../../domain/incidents/incident-actions.ts';
import type { EpisodeStore } from '../../use-cases/incidents/list-episode.ts';
import type { Database, Sql } from '../database/database.ts';
import { Count } from '../database/row.ts';

/** What people look at of an episode. */
export function episodeLists(database: Database): EpisodeStore {
  return {
    episodeFailures: (episodeId, page) => episodeFailures(database, episodeId, page),
    affected: (episodeId, page) => affected(database, episodeId, page),
  };
}

const BoundsRow = z.object({ group_keys: z.string(), after_seq: Count, newest_seq: Count });

/** The failures of an episode are those of its groups after the episode before, up to its last one. */
const BOUNDS = `
  SELECT (SELECT string_agg(group_key, ',') FROM episode_parts WHERE episode_id = s.id) AS group_keys, s.newest_seq, coalesce(
    (SELECT max(newest_seq) FROM episodes older WHERE older.incident_key = s.incident_key AND older.id < s.id), 0) AS after_seq
  FROM episodes s WHERE s.id = $1`;

/** Asked for with the bounds in hand, so that each list is read in the order of its index, and no further than its page. */
const OF_EPISODE = `failures WHERE group_key = ANY (string_to_array($1, ',')) AND seq > $2 AND seq <= $3`;

const FailureRow = z
  .object({
    event_id: z.string().nullable(),
    transaction_id: z.string(),
    subscriber_id: z.string().nullable(),
    occurred_at: z.date(),
  })
  .transform(
    (row): EpisodeFailure => ({
      eventId: row.event_id,
      transactionId: row.transaction_id,
      subscriberId: row.subscriber_id,
      occurredAt: row.occurred_at,
    }),
  );

async function episodeFailures(
  sql: Pick<Sql, 'rows'>,
  ...[episodeId, { upTo, offset, limit }]: Parameters<EpisodeStore['episodeFailures']>
): ReturnType<EpisodeStore['episodeFailures']> {
  const [bounds] = await sql.rows(BoundsRow, BOUNDS, [episodeId]);
  if (bounds === undefined) return { failures: [], upTo };
  const last = Math.min(upTo ?? bounds.newest_seq, bounds.newest_seq);
  const failures = await sql.rows(
    FailureRow,
    `SELECT event_id, transaction_id, subscriber_id, occurred_at FROM ${OF_EPISODE}
     ORDER BY occurred_at DESC, seq OFFSET $4 LIMIT $5`,
    [bounds.group_keys, bounds.after_seq, last, offset, limit],
  );
  return { failures, upTo: last };
}

const AffectedRow = z
  .object({ subscriber_id: z.string(), failures: Count, first_seen: z.date(), last_seen: z.date() })
  .transform(
    (row): Affected => ({
      subscriberId: row.subscriber_id,
      failures: row.failures,
      firstSeen: row.first_seen,
      lastSeen: row.last_seen,
    }),
  );

async function affected(
  sql: Pick<Sql, 'rows'>,
  ...[episodeId, { after, offset, limit }]: Parameters<EpisodeStore['affected']>
): Promise<Affected[]> {
  const [bounds] = await sql.rows(BoundsRow, BOUNDS, [episodeId]);
  if (bounds === undefined) return [];
  return sql.rows(
    AffectedRow,
    `SELECT subscriber_id, count(*) AS failures, min(occurred_at) AS first_seen, max(occurred_at) AS last_seen
     FROM ${OF_EPISODE} AND subscriber_id > $4
     GROUP BY subscriber_id ORDER BY subscriber_id OFFSET $5 LIMIT $6`,
    [bounds.group_keys, bounds.after_seq, bounds.newest_seq, after ?? '', offset, limit],
  );
}
