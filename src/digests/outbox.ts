import { subDays, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { Backlog, BlockedChannel } from '../domain/health/backlog.ts';
import type { EditRefusedIn } from '../domain/health/status.ts';
import type { Db } from '../store/db.ts';
import { Count, rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { WATCH_ENDS } from '../watches/settings.ts';
import { KINDS, Kind } from './message.ts';
import { CALM_EVERY_MS, COUNTS_EVERY_MS, EDIT_LEASE_MS, POSTING_LEASE_MS } from './pace.ts';

const ClaimedRow = rowWith({
  id: z.string(),
  watchId: z.string().nullable(),
  kind: Kind,
  channel: z.string(),
  threadTs: z.string().nullable(),
  attempt: z.number(),
  claimedAt: z.date(),
  unresolvedSince: z.date().nullable(),
});
/** `attempt` counts from 1 and tells this claim from a later one, made after its lease. `unresolvedSince`: it may be in its channel already. */
export type Claimed = z.output<typeof ClaimedRow>;

const PostedRow = rowWith({
  id: z.string(),
  channel: z.string(),
  ts: z.string(),
  shownHash: z.string().nullable(),
  claimedAt: z.date(),
  attempt: z.number(),
});
/** A posted message to be edited. `shownHash`: what it shows; a mark alone (`markOf`) if nobody knows. */
export type Posted = z.output<typeof PostedRow>;

const CHANNEL = 'coalesce(m.recipient, (SELECT channel FROM watches WHERE id = m.watch_id))';

/** By the database's clock, since replicas' clocks may differ. */
const leaseOf = (ms: number) => `clock_timestamp() + interval '${ms} milliseconds'`;

/** A reply waits until its parent is posted. A message of another kind waits for a version that knows it, and blocks no other. */
const HAS_PLACE = `m.kind IN (${KINDS.map((kind) => `'${kind}'`).join(', ')}) AND (m.thread_of IS NULL
  OR EXISTS (SELECT FROM messages parent WHERE parent.id = m.thread_of AND parent.state = 'posted' AND parent.ts <> ''))`;

/** Of a removed watch, only the notice of its removal is posted. */
const IS_WANTED = `(m.watch_id IS NULL OR m.kind = 'watch-ended' OR EXISTS (SELECT FROM watches w WHERE w.id = m.watch_id AND w.ended_at IS NULL))`;

const PENDING = `m.state IN ('waiting', 'posting') AND ${IS_WANTED} AND ${HAS_PLACE}`;

/** Claims the oldest message that is due outside of paused channels. One that was begun and never settled may be in its channel. */
export async function claimPost(db: Db, paused: readonly string[], now: Date): Promise<Claimed | null> {
  return (await db.rows(ClaimedRow, CLAIM_POST, [now, jsonOf(paused)]))[0] ?? null;
}

const CLAIM_POST = `
  UPDATE messages m SET state = 'posting', attempt = attempt + 1, begun_at = $1, next_at = NULL,
    leased_until = ${leaseOf(POSTING_LEASE_MS)}, unresolved_since = coalesce(unresolved_since, begun_at)
  WHERE m.id = (
    SELECT m.id FROM messages m
    WHERE ${PENDING} AND NOT $2::jsonb ? ${CHANNEL}
      AND CASE m.state WHEN 'waiting' THEN coalesce(m.next_at <= $1, true) ELSE m.leased_until <= clock_timestamp() END
    ORDER BY m.thread_of IS NOT NULL, m.created_at, m.id LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING m.id, m.watch_id, m.kind, ${CHANNEL} AS channel, (SELECT ts FROM messages parent WHERE parent.id = m.thread_of) AS thread_ts,
    m.attempt, m.begun_at AS claimed_at, m.unresolved_since`;

/** Returns false if another claim overtook it. */
export async function renewClaim(db: Db, { id, attempt }: Claimed): Promise<boolean> {
  const renew = `UPDATE messages SET leased_until = ${leaseOf(POSTING_LEASE_MS)} WHERE ${OWN}`;
  return (await db.write(renew, [id, attempt])) > 0;
}

const OWN = `id = $1 AND state = 'posting' AND attempt = $2`;

/** What the watch was told of is what the message drew; older messages about the same go on below. */
export function notePosted(
  db: Db,
  claimed: Claimed,
  { ts, shownHash, drawnAt }: Shown & { readonly ts: string },
  now: Date,
) {
  return db.transaction(async (sql) => {
    await sql.write(POSTED, [claimed.id, ts, shownHash, now, drawnAt]);
    await sql.write(CONTINUED, [claimed.id, now]);
  });
}

export interface Shown {
  readonly shownHash: string;
  readonly drawnAt: Date;
}

const POSTED = `
  UPDATE messages SET state = 'posted', ts = $2, shown_hash = $3, posted_at = $4, drawn_at = $5, leased_until = NULL, attempt = 0,
    last_refusal = NULL
  WHERE id = $1 AND state IN ('waiting', 'posting')`;

const CONTINUED = `
  UPDATE messages m SET next_at = $2 WHERE m.state = 'posted' AND NOT m.is_frozen AND m.id <> $1 AND EXISTS (
    SELECT FROM alerts a JOIN alerts newer ON newer.incident_id = a.incident_id AND newer.watch_id = a.watch_id AND newer.at > a.at
    WHERE a.message_id = m.id AND newer.message_id = $1)`;

/** Slack didn't post it. This and the functions below change nothing for a claim that was overtaken. */
export async function noteNotPosted(db: Db, { id, attempt }: Claimed, reason: string, nextAt: Date): Promise<void> {
  const wait = `UPDATE messages SET state = 'waiting', next_at = $4, last_refusal = $3, begun_at = NULL, leased_until = NULL WHERE ${OWN}`;
  await db.write(wait, [id, attempt, reason, nextAt]);
}

/** Nobody knows whether Slack posted it: it stays claimed for a while and is then looked for. */
export async function noteUnresolved(db: Db, { id, attempt }: Claimed, forMs: number): Promise<void> {
  const hold = `UPDATE messages SET leased_until = clock_timestamp() + $3 * interval '1 millisecond', last_refusal = NULL WHERE ${OWN}`;
  await db.write(hold, [id, attempt, forMs]);
}

export async function noteGivenUp(db: Db, { id, attempt }: Claimed, reason: string): Promise<void> {
  await db.write(`UPDATE messages SET state = 'gone', last_refusal = $3 WHERE ${OWN}`, [id, attempt, reason]);
}

/**
 * Claims the edit that is most due: what people or states changed, then counts that changed a while ago, unless `hasCounts` is false.
 * A message is drawn for a day; whatever goes on is repeated by then.
 */
export async function claimEdit(
  db: Db,
  { paused, hasCounts }: { readonly paused: readonly string[]; readonly hasCounts: boolean },
  now: Date,
): Promise<Posted | null> {
  const times = [subDays(now, 1), subMilliseconds(now, COUNTS_EVERY_MS), subMilliseconds(now, CALM_EVERY_MS)];
  return (await db.rows(PostedRow, CLAIM_EDIT, [now, jsonOf(paused), hasCounts, ...times]))[0] ?? null;
}

const HAS_CHANGED = `
  m.posted_at > $4 AND m.drawn_at <= $5 AND EXISTS (
    SELECT FROM alerts a JOIN incidents i ON i.id = a.incident_id
    WHERE a.message_id = m.id AND a.reason <> 'single' AND (i.last_recorded_at >= m.drawn_at OR (i.state = 'firing' AND m.drawn_at <= $6))
      AND NOT EXISTS (SELECT FROM alerts newer WHERE newer.incident_id = a.incident_id AND newer.watch_id = a.watch_id AND newer.at > a.at))`;

const CLAIM_EDIT = `
  UPDATE messages m SET begun_at = $1, attempt = attempt + 1, next_at = NULL, leased_until = ${leaseOf(EDIT_LEASE_MS)}
  WHERE m.id = (
    SELECT m.id FROM messages m
    WHERE m.state = 'posted' AND NOT m.is_frozen AND coalesce(m.leased_until <= clock_timestamp(), true) AND NOT $2::jsonb ? ${CHANNEL}
      AND (m.next_at <= $1 OR m.leased_until IS NOT NULL OR ($3::boolean AND m.next_at IS NULL AND ${HAS_CHANGED}))
    ORDER BY m.next_at IS NULL, m.drawn_at, m.id LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING m.id, ${CHANNEL} AS channel, m.ts, m.shown_hash, m.begun_at AS claimed_at, m.attempt`;

const OWN_EDIT = `id = $1 AND state = 'posted' AND begun_at = $2 AND leased_until IS NOT NULL`;

/** A claim takes `next_at`: whatever sets it meanwhile, committed at last after the message was drawn, has it drawn again. */
export async function noteEdited(db: Db, { id, claimedAt }: Posted, shownHash: string): Promise<void> {
  const edited = `UPDATE messages SET shown_hash = $3, drawn_at = $2, leased_until = NULL, attempt = 0, last_refusal = NULL
    WHERE ${OWN_EDIT}`;
  await db.write(edited, [id, claimedAt, shownHash]);
}

export interface NotEdited {
  readonly nextAt: Date;
  /** Null: what it shows is as before. */
  readonly shownHash: string | null;
  /** Slack's word, if its channel takes no edits. */
  readonly refusal?: string;
}

export async function noteNotEdited(
  db: Db,
  { id, claimedAt }: Posted,
  { nextAt, shownHash, refusal }: NotEdited,
): Promise<void> {
  const later = `UPDATE messages SET leased_until = NULL, next_at = $3, shown_hash = coalesce($4, shown_hash), last_refusal = $5 WHERE ${OWN_EDIT}`;
  await db.write(later, [id, claimedAt, nextAt, shownHash, refusal ?? null]);
}

/** It exists and is never edited again. */
export async function noteFrozen(db: Db, { id, claimedAt }: Posted): Promise<void> {
  await db.write(`UPDATE messages SET is_frozen = true, leased_until = NULL, next_at = NULL WHERE ${OWN_EDIT}`, [
    id,
    claimedAt,
  ]);
}

/** What it told of is told again if it goes on from now. */
export function noteDeleted(db: Db, { id, claimedAt }: Posted): Promise<void> {
  return db.transaction(async (sql) => {
    const gone = `UPDATE messages SET state = 'gone', leased_until = NULL, next_at = NULL WHERE ${OWN_EDIT}`;
    if ((await sql.write(gone, [id, claimedAt])) === 0) return;
    const known =
      'UPDATE alerts a SET recorded = i.recorded, seq = i.newest_seq FROM incidents i WHERE i.id = a.incident_id AND a.message_id = $1';
    await sql.write(known, [id]);
  });
}

/** Only for a process that is alone on its store: claims are those of dead processes. They end `afterMs` from now. */
export async function releaseClaims(db: Db, afterMs: number): Promise<void> {
  const release = `UPDATE messages SET leased_until = LEAST(leased_until, clock_timestamp() + $1 * interval '1 millisecond')
    WHERE leased_until IS NOT NULL`;
  await db.write(release, [afterMs]);
}

const DueRow = z.object({ due_at: z.date().nullable() });

/** When a message is due next, by the clock of `now`, apart from counts and pauses; null: none is. */
export async function nextDueAt(db: Db, now: Date): Promise<Date | null> {
  return (await db.rows(DueRow, NEXT, [now]))[0]?.due_at ?? null;
}

const LEASE_END = `$1::timestamptz + (m.leased_until - clock_timestamp()) + interval '1 millisecond'`;
const NEXT = `
  SELECT min(due_at) AS due_at FROM (
    SELECT CASE m.state WHEN 'waiting' THEN coalesce(m.next_at, $1) ELSE ${LEASE_END} END AS due_at FROM messages m WHERE ${PENDING}
    UNION ALL SELECT GREATEST(m.next_at, ${LEASE_END}) FROM messages m
      WHERE m.state = 'posted' AND NOT m.is_frozen AND (m.next_at IS NOT NULL OR m.leased_until IS NOT NULL)
  ) due`;

const BacklogRow = rowWith({ waiting: Count, oldest: z.date().nullable(), oldestHeldUp: z.date().nullable() });

/** The pending messages of a watch, or of all if null, apart from the one that tells of them. */
export async function backlogOf(sql: Db, watchId: string | null, tellingId = ''): Promise<Backlog> {
  const rows = await sql.rows(
    BacklogRow,
    `SELECT count(*) AS waiting, min(m.created_at) AS oldest,
       min(m.created_at) FILTER (WHERE m.last_refusal IS NULL OR NOT $1::jsonb ? m.last_refusal) AS oldest_held_up
     FROM messages m WHERE ${PENDING} AND ($2::text IS NULL OR m.watch_id = $2) AND m.id <> $3`,
    [jsonOf(WATCH_ENDS), watchId, tellingId],
  );
  return rows[0] ?? { waiting: 0, oldest: null, oldestHeldUp: null };
}

const RefusedRow = z.object({ channel: z.string(), reason: z.string() });

/** The channels of watches in which Slack refused the last edit. */
export function editRefusals(sql: Db): Promise<EditRefusedIn[]> {
  const refused = `SELECT DISTINCT w.channel, m.last_refusal AS reason FROM messages m JOIN watches w ON w.id = m.watch_id
    WHERE m.state = 'posted' AND m.next_at IS NOT NULL AND m.last_refusal IS NOT NULL AND w.ended_at IS NULL ORDER BY 1`;
  return sql.rows(RefusedRow, refused);
}

const BlockedRow = z.object({ channel: z.string(), reason: z.enum(WATCH_ENDS), messages: Count, oldest: z.date() });

/** Where messages wait since a channel, or a person, takes none. */
export function blockedChannels(sql: Db): Promise<BlockedChannel[]> {
  return sql.rows(
    BlockedRow,
    `SELECT ${CHANNEL} AS channel, m.last_refusal AS reason, count(*) AS messages, min(m.created_at) AS oldest
     FROM messages m WHERE ${PENDING} AND $1::jsonb ? m.last_refusal GROUP BY 1, 2 ORDER BY oldest, channel`,
    [jsonOf(WATCH_ENDS)],
  );
}

export async function drawAgain(db: Db, id: string, now: Date): Promise<void> {
  await db.write(`UPDATE messages SET next_at = $2 WHERE id = $1 AND state = 'posted'`, [id, now]);
}
