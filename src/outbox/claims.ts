import { subMilliseconds } from 'date-fns';
import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { doubled } from '../lib/time/waiting.ts';
import { fields } from '../service/schema.ts';
import { type Db, textList } from '../store/db.ts';
import { Initiator } from './kinds.ts';
import { type MessageRow, slackMessages as messages } from './tables.ts';

// Which message is next, and what its outcome changes. One with `unresolved_since` is looked for before it's posted again. In statements a message is `m`.

/** A lease is longer than a post and its retry without blocks take. */
const LEASE_MS = 30_000;

/** Tries of a post are at most so far apart. */
export const LONGEST_RETRY_MS = 5 * MINUTE_MS;

/** The `last_refusal` of what its owner holds back. */
export const HELD = 'held';

/** Leases are by the database's clock: replicas' may differ. */
const leaseOf = (ms: number): SQL => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
/** What is leased for longer was claimed before the database's clock was set back: that lease counts as over. */
const LONGEST_LEASE_MS = 2 * LONGEST_RETRY_MS;
const IS_FREE = sql`coalesce(m.leased_until <= clock_timestamp() OR m.leased_until > ${leaseOf(LONGEST_LEASE_MS)}, true)`;

/** A line waits until the message above it is posted. */
const HAS_PLACE = sql`(
  m.thread_of IS NULL
  OR EXISTS (
    SELECT FROM slack_messages parent WHERE parent.id = m.thread_of AND parent.state = 'posted' AND parent.ts <> ''
  ))`;

/** A message that can be edited. */
export const IS_LIVE = sql`m.state = 'posted' AND NOT m.is_left`;
export const IS_TO_POST = sql`m.state IN ('waiting', 'posting') AND ${HAS_PLACE}`;

/** While another of its group has no outcome, none is begun. */
export const IS_NEXT = sql`(
  m.order_group IS NULL
  OR m.begun_at IS NOT NULL
  OR m.unresolved_since IS NOT NULL
  OR NOT EXISTS (
    SELECT FROM slack_messages o
    WHERE o.order_group = m.order_group
      AND o.id <> m.id
      AND (o.state = 'posting' OR (o.state = 'waiting' AND o.unresolved_since IS NOT NULL))
  ))`;

/** A post whose answer was lost shows in its channel by then. */
export const LOOK_AGAIN_MS = 3_000;
const FIRST_RETRY_MS = 2_000;

export const pauseAfter = (attempt: number, longestMs: number = LONGEST_RETRY_MS): number =>
  doubled(FIRST_RETRY_MS, attempt - 1, longestMs);

/** Slack allows 50 edits a minute and workspace (`chat.update`, tier 3). The rest is for changes of state. */
export const COUNT_EDITS_A_MINUTE = 20;

/** A message that this process posts or edits, as long as its lease lasts. */
export interface Claimed extends MessageRow {
  begunAt: Date;
  /** Slack's time of the message in whose thread it is. */
  threadTs: string | null;
}

const Text = z.string().nullable();
const Time = z.date().nullable();
const ClaimedColumns = z.object({
  ...fields(z.string(), 'id', 'kind', 'channel', 'subject', 'environment'),
  ...fields(Text, 'owner', 'orderGroup', 'threadOf', 'lastRefusal', 'ts', 'shownHash', 'threadTs'),
  ...fields(z.boolean(), 'isThreadClosed', 'isUrgent', 'isLeft'),
  content: z.custom<Stored>(),
  initiator: Initiator.nullable().catch(null),
  state: z.enum(['waiting', 'posting', 'posted', 'gone']),
  attempt: z.number(),
  ...fields(z.date(), 'createdAt', 'begunAt'),
  ...fields(Time, 'nextAt', 'leasedUntil', 'unresolvedSince', 'postedAt', 'drawnAt'),
});

const claim = (change: SQL, condition: SQL, order: SQL, now: Date): SQL => sql`
  UPDATE slack_messages
  SET
    attempt = attempt + 1,
    next_at = NULL,
    begun_at = ${now},
    leased_until = ${leaseOf(LEASE_MS)},
    ${change}
  WHERE id = (
    SELECT m.id
    FROM slack_messages m
    WHERE ${IS_FREE}
      AND ${condition}
    ORDER BY ${order}
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  )
  RETURNING
    slack_messages.*,
    (SELECT ts FROM slack_messages parent WHERE parent.id = slack_messages.thread_of) AS thread_ts`;

/** Claims the oldest message that is due, none in the `paused` channels. */
export async function claimPost(db: Db, paused: readonly string[], now: Date): Promise<Claimed | null> {
  const isDue = sql`(m.state = 'posting' OR coalesce(m.next_at <= ${now}, true))`;
  const condition = sql`${IS_TO_POST} AND ${IS_NEXT} AND m.channel NOT IN ${textList(paused)} AND ${isDue}`;
  // An outcome clears `begun_at`: where it is still set, the answer to the last post was lost.
  const change = sql`state = 'posting', unresolved_since = coalesce(unresolved_since, begun_at)`;
  const order = sql`m.thread_of IS NOT NULL, m.created_at, m.id`;
  return (await db.rows(ClaimedColumns, claim(change, condition, order, now)))[0] ?? null;
}

/** Claims an edit that is due: changes of state go first, and counts only if `forCounts`. */
export async function claimEdit(db: Db, forCounts: boolean, now: Date): Promise<Claimed | null> {
  const isDue = sql`(m.leased_until IS NOT NULL OR (m.next_at <= ${now} AND (m.is_urgent OR ${forCounts})))`;
  const order = sql`NOT m.is_urgent, m.next_at, m.id`;
  // An edit changes no state.
  const change = sql`state = state`;
  return (await db.rows(ClaimedColumns, claim(change, sql`${IS_LIVE} AND ${isDue}`, order, now)))[0] ?? null;
}

type MessageUpdate = Parameters<ReturnType<Db['update']>['set']>[0];

/** Returns false if a later claim overtook this one. */
async function changeClaimed(db: Db, claimed: Claimed, change: MessageUpdate): Promise<boolean> {
  const { id, state, begunAt } = claimed;
  const isClaim = and(eq(messages.id, id), eq(messages.begunAt, begunAt), eq(messages.state, state));
  const isOurs = and(isClaim, isNotNull(messages.leasedUntil));
  const changed = await db.update(messages).set(change).where(isOurs).returning();
  return changed.length > 0;
}

const leasedFor = (ms: number): SQL<Date> => sql<Date>`${leaseOf(ms)}`;

export async function renewClaim(db: Db, claimed: Claimed): Promise<boolean> {
  return changeClaimed(db, claimed, { leasedUntil: leasedFor(LEASE_MS) });
}

/** A message as it stands in Slack. */
export interface Shown {
  ts: string;
  shownHash: string;
  drawnAt: Date;
  /** When it is to be drawn again. */
  nextAt: Date | null;
}

/** Returns false if it is posted or gone already. */
export async function notePosted(tx: Db, { id }: Claimed, shown: Shown, postedAt: Date): Promise<boolean> {
  const outcome = { state: 'posted', postedAt, leasedUntil: null, attempt: 0, lastRefusal: null } as const;
  const { ts, shownHash, drawnAt } = shown;
  // Somebody may have had it drawn again while it was posted.
  const nextAt = sql`LEAST(coalesce(${messages.nextAt}, 'infinity'), coalesce(${shown.nextAt}::timestamptz, 'infinity'))`;
  const isUnposted = and(eq(messages.id, id), inArray(messages.state, ['waiting', 'posting']));
  const posted = await tx
    .update(messages)
    .set({ ts, shownHash, drawnAt, ...outcome, nextAt: sql`NULLIF(${nextAt}, 'infinity')` })
    .where(isUnposted)
    .returning();
  return posted.length > 0;
}

export async function noteNotPosted(db: Db, claimed: Claimed, lastRefusal: string, nextAt: Date): Promise<boolean> {
  return changeClaimed(db, claimed, { state: 'waiting', nextAt, lastRefusal, begunAt: null, leasedUntil: null });
}

export async function noteMoved(db: Db, claimed: Claimed, channel: string, nextAt: Date): Promise<boolean> {
  return changeClaimed(db, claimed, { state: 'waiting', channel, nextAt, begunAt: null, leasedUntil: null });
}

/** Its answer was lost: it's looked for after `forMs`. */
export async function noteUnresolved(db: Db, claimed: Claimed, forMs: number): Promise<boolean> {
  return changeClaimed(db, claimed, { leasedUntil: leasedFor(forMs), lastRefusal: null });
}

export async function noteGivenUp(db: Db, claimed: Claimed, lastRefusal: string): Promise<boolean> {
  return changeClaimed(db, claimed, { state: 'gone', lastRefusal });
}

export async function endEdit(db: Db, posted: Claimed, change: MessageUpdate): Promise<boolean> {
  return changeClaimed(db, posted, { leasedUntil: null, lastRefusal: null, ...change });
}

/** What is to be shown can have changed again while it was edited. */
export async function noteEdited(
  db: Db,
  posted: Claimed,
  shownHash: string,
  { nextAt, isLast }: { nextAt: Date | null; isLast: boolean },
): Promise<boolean> {
  const changes = { shownHash, drawnAt: posted.begunAt, attempt: 0, isLeft: isLast };
  const wanted = sql`coalesce(${messages.nextAt}, ${nextAt}::timestamptz)`;
  return endEdit(db, posted, { ...changes, nextAt: wanted, isUrgent: sql`${messages.nextAt} IS NOT NULL` });
}

export async function closeThread(tx: Db, messageId: string): Promise<void> {
  await tx.update(messages).set({ isThreadClosed: true }).where(eq(messages.id, messageId));
}

/** For a store of one process: claims of the one before run out soon. */
export async function releaseClaims(db: Db, afterMs: number): Promise<void> {
  await db.write(sql`
    UPDATE slack_messages
    SET leased_until = LEAST(leased_until, ${leaseOf(afterMs)})
    WHERE leased_until IS NOT NULL`);
}

/** Has everything that waits due at once when Slack is back, apart from rate limits and posts that may be under way. */
export async function hurry(db: Db, now: Date): Promise<void> {
  await db.write(sql`
    UPDATE slack_messages
    SET next_at = CASE state WHEN 'posted' THEN ${now}::timestamptz END, leased_until = clock_timestamp()
    WHERE (
        state = 'waiting'
        AND next_at > ${now}
        AND coalesce(last_refusal, '') NOT IN ('ratelimited', ${HELD})
      )
      OR (state = 'posting' AND begun_at < ${subMilliseconds(now, 2 * LEASE_MS)})
      OR (
        state = 'posted'
        AND NOT is_left
        AND next_at > ${now}
        AND last_refusal IS NOT NULL
        AND last_refusal <> 'ratelimited'
      )`);
}
