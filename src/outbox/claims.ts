import { subMilliseconds } from 'date-fns';
import { and, eq, gte, inArray, isNotNull, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { doubled } from '../lib/time/waiting.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db, jsonOf, onlyRow, type SqlValue } from '../store/db.ts';
import { type MessageKind, Owner, TAB_OFF, WATCH_ENDS } from './kinds.ts';
import { countBy, incidentsOf, WAITING_DIGEST } from './messages.ts';
import { messages } from './tables.ts';

// A message with `unresolved_since` is looked for before it's posted again. In statements a message is `m`.

/** A lease is longer than a post and its retry without blocks take. */
const LEASE_MS = 30_000;

export const LONGEST_RETRY_MS = 5 * 60_000;

export const PENDING_DAYS = 8;

/** The `last_refusal` in quiet hours or a mute. */
export const SILENCED = 'silenced';

const channelOf = (message: string) =>
  `coalesce(${message}.recipient, (SELECT channel FROM watches w WHERE w.id = ${message}.watch_id))`;

/** Leases are by the database's clock: replicas' may differ. */
const leaseOf = (ms: number) => `clock_timestamp() + interval '${ms} milliseconds'`;
/** A longer lease was given before the database's clock was set back. */
const LONGEST_LEASE_MS = 2 * LONGEST_RETRY_MS;
const IS_FREE = `coalesce(m.leased_until <= clock_timestamp() OR m.leased_until > ${leaseOf(LONGEST_LEASE_MS)}, true)`;

const HAS_PLACE = `(m.thread_of IS NULL
  OR EXISTS (SELECT FROM messages parent WHERE parent.id = m.thread_of AND parent.state = 'posted' AND parent.ts <> ''))`;

const IS_WANTED = `(m.watch_id IS NULL OR m.kind = 'watch-ended' OR EXISTS (SELECT FROM watches w WHERE w.id = m.watch_id AND w.ended_at IS NULL))`;

const LIVE = "m.state = 'posted' AND NOT m.is_frozen";
const TO_POST = `m.state IN ('waiting', 'posting') AND ${IS_WANTED} AND ${HAS_PLACE}`;

/** While a digest's post has no outcome, no other digest of its watch and environment is begun. */
const IS_NEXT = `(m.kind <> 'digest' OR m.begun_at IS NOT NULL OR m.unresolved_since IS NOT NULL OR NOT EXISTS (
  SELECT FROM messages o WHERE o.watch_id = m.watch_id AND o.kind = 'digest' AND o.environment = m.environment AND o.id <> m.id
    AND (o.state = 'posting' OR (o.state = 'waiting' AND o.unresolved_since IS NOT NULL))))`;

const leasedFor = (ms: number) => sql<Date>`${sql.raw(leaseOf(ms))}`;

export const LOOK_AGAIN_MS = 3_000;

const FIRST_RETRY_MS = 2_000;

export const pauseAfter = (attempt: number) => doubled(FIRST_RETRY_MS, attempt - 1, LONGEST_RETRY_MS);

/** Slack allows 50 edits a minute and workspace (`chat.update`, tier 3). The rest is for changes of state. */
export const COUNT_EDITS_A_MINUTE = 20;

/** The incidents `i` whose newest message this is. */
const newestIn = (message: string) => `FROM alerts a JOIN incidents i ON i.id = a.incident_id
  WHERE a.message_id = ${message}.id AND a.reason <> 'single' AND NOT EXISTS (
    SELECT FROM alerts newer WHERE newer.incident_id = a.incident_id AND newer.watch_id = a.watch_id AND newer.at > a.at)`;

const recordedOf = (message: string) => `(SELECT coalesce(sum(i.recorded), 0) ${newestIn(message)})`;

const claim = (change: string, condition: string, order: string) => `
  UPDATE messages SET attempt = attempt + 1, next_at = NULL, begun_at = $1, leased_until = ${leaseOf(LEASE_MS)},
    drawn = ${recordedOf('messages')}${change}
  WHERE id = (SELECT m.id FROM messages m WHERE ${IS_FREE} AND ${condition} ORDER BY ${order} LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING messages.*, ${channelOf('messages')} AS channel, coalesce(content #>> '{event,what}', kind) AS what,
    (SELECT ts FROM messages parent WHERE parent.id = messages.thread_of) AS thread_ts`;

const Claimed = z.object({
  ...fields(z.string(), 'id', 'what', 'environment', 'channel'),
  ...fields(z.string().nullable(), 'watchId', 'recipient', 'shownHash'),
  owner: Owner.nullable(),
  state: z.enum(['posting', 'posted']),
  kind: z.custom<MessageKind>(),
  attempt: z.number(),
  begunAt: z.date(),
});
const Post = Claimed.extend({ threadTs: z.string().nullable(), unresolvedSince: z.date().nullable() });
export type ClaimedPost = z.output<typeof Post>;

export async function claimPost(db: Db, paused: readonly string[], now: Date) {
  return (await db.rows(Post, CLAIM_POST, [now, jsonOf(paused)]))[0] ?? null;
}

/** `begun_at` is still set only if the last post has no outcome. */
const CLAIM_POST = claim(
  ", state = 'posting', unresolved_since = coalesce(unresolved_since, begun_at)",
  `${TO_POST} AND ${IS_NEXT} AND NOT $2::jsonb ? ${channelOf('m')} AND (m.state = 'posting' OR coalesce(m.next_at <= $1, true))`,
  'm.thread_of IS NOT NULL, m.created_at, m.id',
);

type MessageUpdate = PgUpdateSetSource<typeof messages>;

/** Returns false if a later claim overtook this one. */
async function changeClaimed(db: Db, claimed: ClaimedPost | ClaimedEdit, change: MessageUpdate) {
  const { id, state, begunAt } = claimed;
  const isClaim = and(eq(messages.id, id), eq(messages.begunAt, begunAt), eq(messages.state, state));
  const isHeld = and(isClaim, isNotNull(messages.leasedUntil));
  const changed = await db.update(messages).set(change).where(isHeld).returning();
  return changed.length > 0;
}

/** Merges waiting digests into a claimed one. Returns its incidents. */
export function takeIn(db: Db, { id, watchId, environment }: ClaimedPost): Promise<number[]> {
  return db.transaction(async (tx) => {
    for (const other of await tx.rows(z.object({ id: z.string() }), OTHERS, [watchId, environment])) {
      await tx.write(TAKE_IN, [id, other.id]);
      await tx.write('DELETE FROM messages WHERE id = $1', [other.id]);
    }
    return incidentsOf(tx, 'm.id = $1', id);
  });
}

const OTHERS = `SELECT id FROM messages WHERE ${WAITING_DIGEST} FOR UPDATE SKIP LOCKED`;
const TAKE_IN = `
  UPDATE alerts SET message_id = $1 WHERE message_id = $2 AND incident_id NOT IN (SELECT incident_id FROM alerts WHERE message_id = $1)`;

export const renewClaim = (db: Db, claimed: ClaimedPost): Promise<boolean> =>
  changeClaimed(db, claimed, { leasedUntil: leasedFor(LEASE_MS) });

export type Shown = { ts: string; shownHash: string; drawnAt: Date; nextAt?: Date };

export async function notePosted(tx: Db, { id }: ClaimedPost, shown: Shown, postedAt: Date) {
  const posted = { ...shown, state: 'posted', postedAt, leasedUntil: null, attempt: 0, lastRefusal: null } as const;
  const isUnposted = and(eq(messages.id, id), inArray(messages.state, ['waiting', 'posting']));
  await tx.update(messages).set(posted).where(isUnposted);
  await tx.write(CONTINUED, [id, postedAt]);
}

const CONTINUED = `
  UPDATE messages m SET next_at = $2 WHERE ${LIVE} AND m.id <> $1 AND m.id IN (
    SELECT a.message_id FROM alerts newer
    JOIN alerts a ON a.incident_id = newer.incident_id AND a.watch_id = newer.watch_id AND a.at < newer.at
    WHERE newer.message_id = $1)`;

export const noteNotPosted = (db: Db, claimed: ClaimedPost, lastRefusal: string, nextAt: Date): Promise<boolean> =>
  changeClaimed(db, claimed, { state: 'waiting', nextAt, lastRefusal, begunAt: null, leasedUntil: null });

export const noteUnresolved = (db: Db, claimed: ClaimedPost, forMs: number): Promise<boolean> =>
  changeClaimed(db, claimed, { leasedUntil: leasedFor(forMs), lastRefusal: null });

export const noteGivenUp = (db: Db, claimed: ClaimedPost, lastRefusal: string): Promise<boolean> =>
  changeClaimed(db, claimed, { state: 'gone', lastRefusal });

const Edit = Claimed.extend({ ts: z.string() });
export type ClaimedEdit = z.output<typeof Edit>;

export async function claimEdit(db: Db, isForCounts: boolean, now: Date) {
  return (await db.rows(Edit, CLAIM_EDIT, [now, isForCounts]))[0] ?? null;
}

/** An incident's attempts and successes grow without a new failure, too. */
const IS_COUNTING = `EXISTS (SELECT ${newestIn('m')} AND i.state IN ('firing', 'recovering'))`;

const HAS_CHANGED = `m.posted_at > $1::timestamptz - interval '${PENDING_DAYS} days' AND m.drawn_at <= $1::timestamptz - interval '1 minute'
  AND (${recordedOf('m')} <> m.drawn OR (m.drawn_at <= $1::timestamptz - interval '5 minutes' AND ${IS_COUNTING}))`;

const CLAIM_EDIT = claim(
  '',
  `${LIVE} AND (m.next_at <= $1 OR m.leased_until IS NOT NULL OR ($2::boolean AND m.next_at IS NULL AND ${HAS_CHANGED}))`,
  'm.next_at IS NULL, m.drawn_at, m.id',
);

export const endEdit = (db: Db, posted: ClaimedEdit, change: MessageUpdate): Promise<boolean> =>
  changeClaimed(db, posted, { leasedUntil: null, lastRefusal: null, ...change });

export const noteEdited = (db: Db, posted: ClaimedEdit, shownHash: string): Promise<boolean> =>
  endEdit(db, posted, { shownHash, drawnAt: posted.begunAt, attempt: 0 });

export const noteFrozen = (db: Db, posted: ClaimedEdit): Promise<boolean> =>
  endEdit(db, posted, { isFrozen: true, nextAt: null });

/** A deleted message's alerts count as of all failures that meet `conditions`, but not of muted incidents or later relapses. */
export function noteDeleted(db: Db, posted: ClaimedEdit, conditions: string, values: SqlValue[]): Promise<void> {
  return db.transaction(async (tx) => {
    if (await endEdit(tx, posted, { state: 'gone', nextAt: null }))
      await tx.write(countBy(conditions, 'recorded = i.recorded', SEEN), [posted.id, posted.begunAt, ...values]);
  });
}

const SEEN = `a.message_id = $1 AND NOT EXISTS (
  SELECT FROM mutes WHERE watch_id = a.watch_id AND coalesce(incident_id = a.incident_id, true) AND until > $2)`;

export const releaseClaims = (db: Db, afterMs: number): Promise<number> =>
  db.write(
    `UPDATE messages SET leased_until = LEAST(leased_until, ${leaseOf(afterMs)}) WHERE leased_until IS NOT NULL`,
  );

/** Retries what waits once Slack answers, apart from rate limits and posts that may be under way. */
export async function hurry(db: Db, now: Date) {
  await db.write(HURRY, [now, jsonOf(['ratelimited', SILENCED]), subMilliseconds(now, 2 * LEASE_MS)]);
}

const HURRY = `
  UPDATE messages SET next_at = NULL, leased_until = clock_timestamp()
  WHERE (state = 'waiting' AND next_at > $1 AND NOT $2::jsonb ? coalesce(last_refusal, ''))
    OR (state = 'posting' AND begun_at < $3)`;

const DueRow = z.object({ dueAt: z.date().nullable() });

export async function nextDueAt(db: Db, now: Date) {
  return onlyRow(await db.rows(DueRow, NEXT, [now])).dueAt;
}

const LEASE_END = `$1::timestamptz + (m.leased_until - clock_timestamp()) + interval '1 millisecond'`;
const NEXT = `
  SELECT min(due_at) AS due_at FROM (
    SELECT CASE m.state WHEN 'waiting' THEN coalesce(m.next_at, $1) ELSE ${LEASE_END} END AS due_at FROM messages m WHERE ${TO_POST} AND ${IS_NEXT}
    UNION ALL SELECT GREATEST(m.next_at, ${LEASE_END}) FROM messages m
      WHERE ${LIVE} AND (m.next_at IS NOT NULL OR m.leased_until IS NOT NULL)
  ) due`;

export type Backlog = z.output<typeof BacklogRow>;
const BacklogRow = z.object({ waiting: Count, oldest: z.date().nullable(), oldestUnblocked: z.date().nullable() });

export async function backlogOf(db: Db, now: Date) {
  return onlyRow(await db.rows(BacklogRow, BACKLOG, [jsonOf(WATCH_ENDS), now]));
}

/** Never negative: a clock that was set back holds up messages, too. */
export function waitedMs({ oldest }: Pick<Backlog, 'oldest'>, now: Date) {
  return oldest === null ? 0 : Math.abs(now.getTime() - oldest.getTime());
}

/** A message that others overtook by ten minutes isn't `oldest`: its trouble isn't Slack's. */
const BACKLOG = `
  SELECT count(*) AS waiting, min(m.created_at) FILTER (WHERE m.created_at > interval '-10 minutes'
      + coalesce((SELECT max(posted_at) FROM messages WHERE posted_at <= $2), '-infinity')) AS oldest,
    min(m.created_at) FILTER (WHERE m.last_refusal IS NULL OR NOT $1::jsonb ? m.last_refusal) AS oldest_unblocked
  FROM messages m WHERE ${TO_POST} AND m.last_refusal IS DISTINCT FROM '${SILENCED}'`;

const RefusedRow = z.object({ channel: z.string(), reason: z.string() });

export const editRefusals = (db: Db): Promise<z.output<typeof RefusedRow>[]> => db.rows(RefusedRow, REFUSED);

const REFUSED = `
  SELECT DISTINCT w.channel, m.last_refusal AS reason FROM messages m JOIN watches w ON w.id = m.watch_id
  WHERE ${LIVE} AND m.next_at IS NOT NULL AND m.attempt > 3 AND m.last_refusal IS NOT NULL AND w.ended_at IS NULL ORDER BY 1`;

/** Slack's code and a person whom no direct message has reached since; the app's own setting concerns everybody. */
export interface RefusedPerson {
  person: string;
  code: string;
}

export function refusedPeople(db: Db, since: Date): Promise<RefusedPerson[]> {
  const { recipient, lastRefusal, state, createdAt } = messages;
  const arrivedAt = sql`(
    SELECT max(later.posted_at) FROM messages later
    WHERE later.state = 'posted' AND later.recipient IS NOT NULL
      AND (later.recipient = messages.recipient OR messages.last_refusal = ${TAB_OFF}))`;
  const isCode = sql`${lastRefusal} ~ '^[a-z_]+$'`;
  const isRefused = and(isNotNull(recipient), eq(state, 'gone'), gte(createdAt, since), isCode);
  const isNewest = sql`max(${createdAt}) > coalesce(${arrivedAt}, '-infinity')`;
  const shown = { person: sql<string>`${recipient}`, code: sql<string>`${lastRefusal}` };
  const rows = db.select(shown).from(messages).where(isRefused);
  return rows.groupBy(recipient, lastRefusal).having(isNewest).orderBy(recipient);
}

const BlockedRow = z.object({ channel: z.string(), reason: z.enum(WATCH_ENDS), messages: Count, oldest: z.date() });

export const blockedChannels = (db: Db): Promise<z.output<typeof BlockedRow>[]> =>
  db.rows(BlockedRow, BLOCKED, [jsonOf(WATCH_ENDS)]);

const BLOCKED = `
  SELECT ${channelOf('m')} AS channel, m.last_refusal AS reason, count(*) AS messages, min(m.created_at) AS oldest
  FROM messages m WHERE ${TO_POST} AND $1::jsonb ? m.last_refusal GROUP BY 1, 2 ORDER BY oldest, channel`;
