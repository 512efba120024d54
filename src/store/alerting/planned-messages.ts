import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { Elsewhere } from '../../domain/alerting/delivery.ts';
import type { PlannedDigest } from '../../domain/alerting/digest.ts';
import { FIRST_COVERAGE_MS } from '../../domain/polling/reading.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { jsonOf, type Sql } from '../database/database.ts';
import { IdRow } from '../database/row.ts';
import { addAnnouncements } from '../deliveries/announcements.ts';
import { failedElsewhere } from '../deliveries/elsewhere.ts';
import { moveOn, noteAlert, type Position } from '../watches/positions.ts';

/** Writes a watch's alerts of a poll to the outbox. Returns the message's ID. */
export async function writePlanned(
  sql: Sql,
  watch: Watch,
  position: Position,
  message: PlannedDigest,
  now: Date,
): Promise<string> {
  const elsewhere = await failedElsewhere(
    sql,
    watch,
    position,
    message.rows.map(({ episodeId }) => episodeId),
  );
  const digestId = await add(sql, position, message, elsewhere, now);
  await moveOn(sql, position);
  const announced = message.rows.map(({ critical, ...row }) => ({
    ...row,
    at: now,
    seq: position.last_seq,
    wasCritical: critical,
    hasOtherFilter: false,
  }));
  await addAnnouncements(sql, { messageId: digestId, watchId: position.watch_id }, announced);
  await noteAlert(sql, position, now);
  return digestId;
}

async function add(
  sql: Sql,
  position: Position,
  { rows, mention, heldBack }: PlannedDigest,
  elsewhere: Elsewhere | null,
  now: Date,
): Promise<string> {
  const [digest] = await sql.rows(IdRow, ADD_DIGEST, [
    position.watch_id,
    position.environment,
    now,
    await isFirst(sql, position, rows),
    position.announced_to,
    position.checked_to,
    position.events,
    position.unreadable,
    position.announced_seq,
    position.last_seq,
    mention && jsonOf(mention),
    heldBack && jsonOf(heldBack),
    elsewhere && jsonOf({ elsewhere }),
  ]);
  if (digest === undefined) throw new Error('a digest was not written');
  return digest.id;
}

/** Returns whether a watch's first digest in an environment has an incident of the hour before Notif's start. What began later is new. */
async function isFirst(sql: Sql, position: Position, rows: PlannedDigest['rows']): Promise<boolean> {
  if (!position.from_start || position.last_digest_at !== null) return false;
  const start = addMilliseconds(position.announced_to, FIRST_COVERAGE_MS);
  const known =
    'SELECT id FROM episodes WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)) AND first_seen <= $2 LIMIT 1';
  return (await sql.rows(z.object({}), known, [jsonOf(rows.map(({ episodeId }) => episodeId)), start])).length > 0;
}

const ADD_DIGEST = `
  INSERT INTO messages (watch_id, environment, kind, created_at, is_first, covered_from, covered_to,
    events, unreadable, after_seq, to_seq, mention, held_back, details)
  VALUES ($1, $2, 'digest', $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12::jsonb, $13::jsonb)
  RETURNING id`;
