import { z } from 'zod';
import { LABEL_KINDS } from '../../domain/failures/labels.ts';
import type { Affected, CommonValue, InCommon } from '../../domain/incidents/incident-actions.ts';
import type { EpisodeStore } from '../../use-cases/incidents/list-episode.ts';
import type { Database, SqlRows } from '../database/database.ts';
import { Count, rowWith } from '../database/row.ts';
import { AFTER_SEQ } from './neighbours.ts';

export function episodeLists(database: Database): EpisodeStore {
  return {
    episodeFailures: (episodeId, page) => episodeFailures(database, episodeId, page),
    mostAffected: (episodeId, limit) => affected(database, episodeId, MOST_AFFECTED, [limit]),
    affected: (episodeId, { after, limit }) => affected(database, episodeId, AFFECTED_BY_ID, [limit, after ?? '']),
    inCommon: (episodeId) => inCommon(database, episodeId),
  };
}

const BoundsRow = z.object({ group_keys: z.string(), after_seq: Count, newest_seq: Count });

/** An episode's failures are those of its groups after the previous episode, up to its own last one. */
const BOUNDS = `
  SELECT (SELECT string_agg(group_key, ',') FROM episode_parts WHERE episode_id = s.id) AS group_keys, s.newest_seq,
    ${AFTER_SEQ} AS after_seq
  FROM episodes s WHERE s.id = $1`;

/** Takes the bounds as values, so that each list is read in the order of its index and only as far as its page. */
const OF_EPISODE = `failures WHERE group_key = ANY (string_to_array($1, ',')) AND seq > $2 AND seq <= $3`;

const FailureRow = rowWith({
  eventId: z.string().nullable(),
  transactionId: z.string(),
  subscriberId: z.string().nullable(),
  occurredAt: z.date(),
});

async function episodeFailures(
  sql: SqlRows,
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

const AffectedRow = rowWith({ subscriberId: z.string(), failures: Count, firstSeen: z.date(), lastSeen: z.date() });

const AFFECTED = `
  SELECT subscriber_id, count(*) AS failures, min(occurred_at) AS first_seen, max(occurred_at) AS last_seen
  FROM ${OF_EPISODE} AND subscriber_id`;
const MOST_AFFECTED = `${AFFECTED} IS NOT NULL GROUP BY subscriber_id ORDER BY failures DESC, last_seen DESC, subscriber_id LIMIT $4`;
const AFFECTED_BY_ID = `${AFFECTED} > $5 GROUP BY subscriber_id ORDER BY subscriber_id LIMIT $4`;

async function affected(
  sql: SqlRows,
  episodeId: number,
  statement: string,
  page: readonly (string | number)[],
): Promise<Affected[]> {
  const [bounds] = await sql.rows(BoundsRow, BOUNDS, [episodeId]);
  if (bounds === undefined) return [];
  return sql.rows(AffectedRow, statement, [bounds.group_keys, bounds.after_seq, bounds.newest_seq, ...page]);
}

/** How many of the newest failures are examined, which keeps the statement short. */
const MOST_IN_COMMON = 2_000;

const CommonRow = rowWith({
  kind: z.enum([...LABEL_KINDS, 'subscriber']).nullable(),
  value: z.string().nullable(),
  failures: Count,
  ofValues: Count,
  lookedAt: Count,
});

function commonValueOf({ kind, value, failures, ofValues }: z.output<typeof CommonRow>): CommonValue[] {
  return kind === null || value === null ? [] : [{ kind, value, failures, ofValues }];
}

async function inCommon(sql: SqlRows, episodeId: number): Promise<InCommon> {
  const [bounds] = await sql.rows(BoundsRow, BOUNDS, [episodeId]);
  if (bounds === undefined) return { failures: 0, values: [] };
  const rows = await sql.rows(CommonRow, IN_COMMON, [bounds.group_keys, bounds.after_seq, bounds.newest_seq]);
  return { failures: rows[0]?.lookedAt ?? 0, values: rows.flatMap(commonValueOf) };
}

/** Reads each group from its end. Ignores subscribers affected only once. */
const IN_COMMON = `
  WITH newest AS MATERIALIZED (
    SELECT own.* FROM unnest(string_to_array($1, ',')) AS part (key) CROSS JOIN LATERAL (
      SELECT seq, contexts, topics, tags, severity, subscriber_id FROM failures
      WHERE group_key = part.key AND seq > $2 AND seq <= $3 ORDER BY seq DESC LIMIT ${MOST_IN_COMMON}
    ) own ORDER BY seq DESC LIMIT ${MOST_IN_COMMON}
  ), counted AS (
    SELECT kind, value, count(*) AS failures FROM newest CROSS JOIN LATERAL (
      SELECT 'context' AS kind, unnest(contexts) AS value UNION SELECT 'topic', unnest(topics)
      UNION SELECT 'tag', unnest(tags) UNION SELECT 'severity', severity UNION SELECT 'subscriber', subscriber_id
    ) has WHERE value IS NOT NULL GROUP BY kind, value
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY kind ORDER BY failures DESC, value) AS place, count(*) OVER (PARTITION BY kind) AS of_values
    FROM counted
  )
  SELECT kind, value, coalesce(failures, 0) AS failures, coalesce(of_values, 0) AS of_values, (SELECT count(*) FROM newest) AS looked_at
  FROM (SELECT 1) AS one LEFT JOIN ranked ON place <= 3 AND (kind <> 'subscriber' OR failures > 1)
  ORDER BY array_position(ARRAY['context', 'topic', 'tag', 'severity', 'subscriber'], kind), place`;
