import { z } from 'zod';
import type { PlannedDigest, PlannedMessage } from '../domain/digest.ts';
import type { VerdictCounts } from '../domain/failure.ts';
import { jsonOf, type Sql } from './database.ts';
import { moveOn, noteCounting, noteNews, type Position } from './positions.ts';

const IdRow = z.object({ id: z.string() });

/** Writes down what a watch is told of a round, to be delivered. Returns the id of a new message; null where an older one counts on. */
export async function writePlanned(
  sql: Sql,
  position: Position,
  message: PlannedMessage,
  counted: VerdictCounts,
  now: Date,
): Promise<string | null> {
  if (message.kind === 'extended-counted-only') {
    await extend(sql, position, counted, now);
    await moveOn(sql, position);
    return null;
  }
  const digestId = await add(sql, position, message, counted, now);
  await moveOn(sql, position);
  if (message.kind === 'counted-only') {
    await noteCounting(sql, position, digestId, now);
  } else {
    await sql.write(ADD_ANNOUNCEMENTS, [position.watch_id, digestId, now, jsonOf(message.rows)]);
    await noteNews(sql, position, now);
  }
  return digestId;
}

async function add(
  sql: Sql,
  position: Position,
  message: PlannedDigest | { readonly kind: 'counted-only' },
  counted: VerdictCounts,
  now: Date,
): Promise<string> {
  const { mention, heldBack } = message.kind === 'new-groups' ? message : { mention: null, heldBack: null };
  const [digest] = await sql.rows(IdRow, ADD_DIGEST, [
    position.watch_id,
    position.environment,
    message.kind,
    now,
    position.from_start && position.last_digest_at === null,
    position.told_to,
    position.read_to,
    position.events,
    position.unreadable,
    position.failed_events,
    jsonOf(counted),
    position.told_seq,
    position.last_seq,
    mention && jsonOf(mention),
    heldBack && jsonOf(heldBack),
  ]);
  if (digest === undefined) throw new Error('a digest was not written');
  return digest.id;
}

const ADD_DIGEST = `
  INSERT INTO digests (id, watch_id, environment, kind, created_at, is_first, covered_from, covered_to,
    events, unreadable, failed_events, counted, after_seq, to_seq, mention, held_back)
  VALUES (gen_random_uuid()::text, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12, $13, $14::jsonb, $15::jsonb)
  RETURNING id`;

const ADD_ANNOUNCEMENTS = `
  INSERT INTO announcements (watch_id, digest_id, position, span_id, reason, told_failures, told_relapses, told_critical, told_at, missed)
  SELECT $1, $2, row_number() OVER (ORDER BY planned.position), (item ->> 'episodeId')::bigint, item ->> 'reason',
    (item ->> 'failures')::bigint, (item ->> 'relapses')::integer, (item ->> 'critical')::boolean, $3, (item ->> 'missed')::bigint
  FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS planned (item, position)`;

/** It is drawn again at once, and covers what has been read since. */
async function extend(sql: Pick<Sql, 'write'>, position: Position, counted: VerdictCounts, now: Date): Promise<void> {
  await sql.write(EXTEND, [
    position.counting_digest_id,
    position.read_to,
    position.events,
    position.unreadable,
    position.failed_events,
    position.last_seq,
    jsonOf(counted),
    now,
  ]);
}

const EXTEND = `
  UPDATE digests SET covered_to = $2, events = events + $3, unreadable = unreadable + $4, failed_events = failed_events + $5,
    to_seq = $6, redraw_at = $8,
    counted = (
      SELECT jsonb_object_agg(verdict, count) FROM (
        SELECT key AS verdict, sum(value::bigint) AS count
        FROM (SELECT * FROM jsonb_each_text(counted) UNION ALL SELECT * FROM jsonb_each_text($7::jsonb)) both_counts
        GROUP BY key
      ) summed
    )
  WHERE id = $1`;
