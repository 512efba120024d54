import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { PlannedDigest, PlannedRow } from '../../domain/alerting/digest.ts';
import { FIRST_COVERAGE_MS } from '../../domain/polling/clock.ts';
import { jsonOf, type Sql } from '../database/database.ts';
import { IdRow } from '../database/row.ts';
import { moveOn, noteAlert, type Position } from '../watches/positions.ts';

/** To the digest that waits for its first post, if there is one, so that there is one message when Slack is back. */
export async function writePlanned(sql: Sql, position: Position, message: PlannedDigest, now: Date): Promise<string> {
  const digestId = (await join(sql, position, message)) ?? (await add(sql, position, message, now));
  await moveOn(sql, position);
  await writeAnnouncements(sql, digestId, position, message.rows, now);
  await noteAlert(sql, position, now);
  return digestId;
}

async function join(sql: Sql, position: Position, { mention, heldBack }: PlannedDigest): Promise<string | null> {
  const [digest] = await sql.rows(IdRow, JOIN_WAITING, [
    position.watch_id,
    position.environment,
    position.checked_to,
    position.events,
    position.unreadable,
    mention && jsonOf(mention),
    heldBack && jsonOf(heldBack),
  ]);
  return digest?.id ?? null;
}

/** One that may be in its channel, or is being claimed, stays as it is. What is new is tried at once, as in a message of its own. */
const JOIN_WAITING = `
  UPDATE messages SET covered_to = $3, events = events + $4, unreadable = unreadable + $5, mention = coalesce($6::jsonb, mention),
    held_back = coalesce(held_back, $7::jsonb), retry_at = NULL
  WHERE id = (
    SELECT id FROM messages WHERE watch_id = $1 AND environment = $2 AND kind = 'digest' AND state = 'waiting' AND begun_at IS NULL
      AND unresolved_since IS NULL
    ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

async function add(
  sql: Sql,
  position: Position,
  { rows, mention, heldBack }: PlannedDigest,
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
    mention && jsonOf(mention),
    heldBack && jsonOf(heldBack),
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
  INSERT INTO messages (watch_id, environment, kind, created_at, is_first, covered_from, covered_to, events, unreadable, mention, held_back)
  VALUES ($1, $2, 'digest', $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb)
  RETURNING id`;

/** Writes what a watch was alerted to, in this order. What the waiting digest announces already keeps its reason and its place. */
async function writeAnnouncements(
  sql: Sql,
  messageId: string,
  { watch_id, last_seq }: Position,
  rows: readonly PlannedRow[],
  now: Date,
): Promise<void> {
  const values = [messageId, jsonOf(rows), now, last_seq];
  await sql.write(UPDATE_ANNOUNCED, values);
  await sql.write(ADD_ANNOUNCED, [...values, watch_id]);
}

const PLANNED = `
  ROWS FROM (jsonb_to_recordset($2::jsonb) AS ("episodeId" bigint, reason text, failures bigint, relapses integer, critical boolean, missed bigint))
  WITH ORDINALITY AS row (episode_id, reason, failures, relapses, critical, missed, place)`;

const UPDATE_ANNOUNCED = `
  UPDATE announcements a SET announced_at = $3, announced_failures = row.failures, announced_seq = $4, announced_relapses = row.relapses,
    announced_critical = row.critical, has_other_filter = false,
    missed = CASE WHEN row.missed IS NULL THEN a.missed ELSE coalesce(a.missed, 0) + row.missed END
  FROM ${PLANNED} WHERE a.message_id = $1 AND a.episode_id = row.episode_id`;

const ADD_ANNOUNCED = `
  WITH known AS (SELECT position, episode_id FROM announcements WHERE message_id = $1)
  INSERT INTO announcements (message_id, watch_id, position, episode_id, reason, announced_at, announced_failures, announced_seq,
    announced_relapses, announced_critical, missed)
  SELECT $1, $5, (SELECT coalesce(max(position), 0) FROM known) + row_number() OVER (ORDER BY row.place), row.episode_id, row.reason, $3,
    row.failures, $4, row.relapses, row.critical, row.missed
  FROM ${PLANNED} WHERE row.episode_id NOT IN (SELECT episode_id FROM known)`;
