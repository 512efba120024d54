import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { type IncidentTurn, SAME_INCIDENT_MS } from '../../domain/alerting/alert-decision.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { jsonOf, type SqlRows, type SqlWrite } from '../database/database.ts';
import { Count } from '../database/row.ts';
import type { EpisodeParts } from '../failures/group-counts.ts';
import { isOwn, ownValues } from '../incidents/incident-parts.ts';
import { AFTER_SEQ } from '../incidents/neighbours.ts';

const AlertedRow = z
  .object({
    episode_id: Count,
    announced_failures: Count,
    announced_relapses: z.number(),
    announced_critical: z.boolean(),
    announced_to: z.date().nullable(),
    announced_seq: Count,
    has_other_filter: z.boolean(),
  })
  .transform((row) => ({
    episodeId: row.episode_id,
    hasOtherFilter: row.has_other_filter,
    lastAlert: {
      failures: row.announced_failures,
      relapses: row.announced_relapses,
      wasCritical: row.announced_critical,
      endedAt: row.announced_to,
      seq: row.announced_seq,
    } satisfies AlertedBefore,
  }));

export interface AlertedBefore {
  readonly failures: number;
  readonly relapses: number;
  readonly wasCritical: boolean;
  /** Until when its message has shown the episode; null while the message exists, edited or not. */
  readonly endedAt: Date | null;
  readonly seq: number;
}

/** Counts what the watch covers now: an alert from before its filter changed is counted again. */
export async function alertedBefore(
  sql: SqlRows & SqlWrite,
  { id: watchId, settings: { filter } }: Watch,
  episodes: readonly EpisodeParts[],
): Promise<ReadonlyMap<number, AlertedBefore>> {
  const values = [watchId, jsonOf(episodes.map(({ id }) => id))];
  const rows = await sql.rows(AlertedRow, ALERTED, values);
  const outdated = new Set(rows.filter(({ hasOtherFilter }) => hasOtherFilter).map(({ episodeId }) => episodeId));
  const covered = episodes.filter(({ id, groupKeys }) => outdated.has(id) && groupKeys.length > 0);
  const own = covered.length === 0 ? null : await ownValues(sql, jsonOf(covered.map(({ id }) => id)), filter);
  if (own === null) return new Map(rows.map(({ episodeId, lastAlert }) => [episodeId, lastAlert]));
  await sql.write(COUNT_AGAIN, [watchId, jsonOf(covered), ...own]);
  return new Map((await sql.rows(AlertedRow, ALERTED, values)).map((row) => [row.episodeId, row.lastAlert]));
}

/** A watch that covered none of it by its filter of now counts as alerted to one failure. */
const COUNT_AGAIN = `
  WITH counted AS MATERIALIZED (
    SELECT a.message_id, a.position, known.failures, known.critical
    FROM jsonb_to_recordset($2::jsonb) AS asked (id bigint, "groupKeys" jsonb)
    JOIN episodes s ON s.id = asked.id JOIN announcements a ON a.episode_id = s.id AND a.watch_id = $1 AND a.has_other_filter
    CROSS JOIN LATERAL (
      SELECT ${AFTER_SEQ} AS seq
    ) before
    CROSS JOIN LATERAL (
      SELECT count(*) AS failures, coalesce(bool_or(f.critical), false) AS critical FROM failures f
      WHERE f.group_key IN (SELECT jsonb_array_elements_text(asked."groupKeys"))
        AND f.seq > before.seq AND f.seq <= a.announced_seq AND ${isOwn(3)}
    ) known
  )
  UPDATE announcements a SET has_other_filter = false, announced_failures = greatest(1, counted.failures), announced_critical = counted.critical
  FROM counted WHERE a.message_id = counted.message_id AND a.position = counted.position`;

const ALERTED = `
  SELECT DISTINCT ON (a.episode_id) a.episode_id, a.announced_failures, a.announced_relapses, a.announced_critical, a.announced_to, a.announced_seq,
    a.has_other_filter
  FROM jsonb_array_elements_text($2::jsonb) AS asked (id)
  JOIN announcements a ON a.episode_id = asked.id::bigint AND a.watch_id = $1
  ORDER BY a.episode_id, a.announced_at DESC`;

const EarlierRow = z.object({ id: Count });

/** Returns which of some episodes continue an incident that a watch was alerted to before them, since that was new or came back. */
export async function alertedEarlier(
  sql: SqlRows,
  watchId: string,
  episodeIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await sql.rows(EarlierRow, EARLIER, [watchId, jsonOf(episodeIds)]);
  return new Set(rows.map(({ id }) => id));
}

const EARLIER = `
  SELECT s.id FROM jsonb_array_elements_text($2::jsonb) AS asked (id) JOIN episodes s ON s.id = asked.id::bigint
  WHERE s.began_as IN ('goes-on', 'relapsed') AND EXISTS (
    SELECT 1 FROM episodes earlier JOIN announcements a ON a.episode_id = earlier.id AND a.watch_id = $1
    WHERE earlier.incident_key = s.incident_key AND earlier.id < s.id AND earlier.id >= coalesce((
      SELECT max(began.id) FROM episodes began
      WHERE began.incident_key = s.incident_key AND began.id < s.id AND began.began_as IN ('new', 'back')
    ), 0)
  )`;

const TurnRow = z.object({ incident_key: z.string(), at: z.date(), is_deleted: z.boolean() });

/** Returns the last half hour's messages that announced an incident to a watch, by incident key. A pending one counts as posted now. */
export async function lastTurns(
  sql: SqlRows,
  watchId: string,
  now: Date,
): Promise<ReadonlyMap<string, readonly IncidentTurn[]>> {
  const rows = await sql.rows(TurnRow, TURNS, [watchId, now, subMilliseconds(now, SAME_INCIDENT_MS)]);
  const turns = new Map<string, IncidentTurn[]>();
  for (const { incident_key, at, is_deleted } of rows) {
    turns.set(incident_key, [...(turns.get(incident_key) ?? []), { at, isDeleted: is_deleted }]);
  }
  return turns;
}

const TURNS = `
  WITH recent AS MATERIALIZED (
    SELECT id, $2::timestamptz AS at, false AS is_deleted FROM messages
    WHERE state IN ('waiting', 'posting') AND watch_id = $1
    UNION ALL SELECT id, posted_at, false FROM messages WHERE state = 'posted' AND posted_at > $3 AND watch_id = $1
    UNION ALL SELECT id, posted_at, true FROM messages WHERE state = 'gone' AND posted_at > $3 AND watch_id = $1
  )
  SELECT DISTINCT s.incident_key, recent.at, recent.is_deleted
  FROM recent JOIN announcements a ON a.message_id = recent.id JOIN episodes s ON s.id = a.episode_id`;
