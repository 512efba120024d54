import { z } from 'zod';
import type { Backlog, BlockedChannel } from '../../domain/health/backlog.ts';
import { WATCH_ENDS } from '../../domain/watches/watch.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Count, rowWith } from '../database/row.ts';
import { HAS_PLACE } from './deliveries.ts';

const BacklogRow = rowWith({ waiting: Count, oldest: z.date().nullable(), oldestHeldUp: z.date().nullable() });

const NOTHING: Backlog = { waiting: 0, oldest: null, oldestHeldUp: null };

/** Returns the pending messages of a watch, or of all watches if null. */
export async function backlogOf(sql: SqlRows, watchId: string | null): Promise<Backlog> {
  return (await sql.rows(BacklogRow, BACKLOG, [jsonOf(WATCH_ENDS), watchId]))[0] ?? NOTHING;
}

/** Of a removed watch, only the notice of its removal is still delivered. */
const PENDING = `one.state IN ('waiting', 'posting') AND (w.ended_at IS NULL OR one.kind = 'watch-ended') AND ${HAS_PLACE}`;

const BACKLOG = `
  SELECT count(*) AS waiting, min(one.created_at) AS oldest,
    min(one.created_at) FILTER (
      WHERE one.last_refusal IS NULL OR one.last_refusal NOT IN (SELECT jsonb_array_elements_text($1::jsonb))
    ) AS oldest_held_up
  FROM messages one JOIN watches w ON w.id = one.watch_id
  WHERE ${PENDING} AND ($2::text IS NULL OR w.id = $2)`;

const BlockedRow = z.object({
  channel: z.string(),
  reason: z.enum(WATCH_ENDS),
  messages: Count,
  oldest: z.date(),
}) satisfies z.ZodType<BlockedChannel>;

export function blockedChannels(sql: SqlRows): Promise<BlockedChannel[]> {
  return sql.rows(BlockedRow, BLOCKED, [jsonOf(WATCH_ENDS)]);
}

const BLOCKED = `
  SELECT coalesce(one.recipient, w.channel) AS channel, one.last_refusal AS reason, count(*) AS messages, min(one.created_at) AS oldest
  FROM messages one JOIN watches w ON w.id = one.watch_id
  WHERE ${PENDING} AND one.last_refusal IN (SELECT jsonb_array_elements_text($1::jsonb))
  GROUP BY 1, 2 ORDER BY oldest, channel`;
