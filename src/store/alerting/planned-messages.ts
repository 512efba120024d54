import type { Elsewhere } from '../../domain/alerting/delivery.ts';
import type { PlannedDigest } from '../../domain/alerting/digest.ts';
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
  { mention, heldBack }: PlannedDigest,
  elsewhere: Elsewhere | null,
  now: Date,
): Promise<string> {
  const [digest] = await sql.rows(IdRow, ADD_DIGEST, [
    position.watch_id,
    position.environment,
    now,
    position.from_start && position.last_digest_at === null,
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

const ADD_DIGEST = `
  INSERT INTO messages (watch_id, environment, kind, created_at, is_first, covered_from, covered_to,
    events, unreadable, after_seq, to_seq, mention, held_back, details)
  VALUES ($1, $2, 'digest', $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12::jsonb, $13::jsonb)
  RETURNING id`;
