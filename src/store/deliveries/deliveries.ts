import { z } from 'zod';
import { POSTING_LEASE_MS } from '../../domain/alerting/pace.ts';
import type { ClaimedMessage, DeliveryStore } from '../../use-cases/alerting/deliver-messages.ts';
import type { Database, Sql, SqlWrite } from '../database/database.ts';
import { rowWith } from '../database/row.ts';
import { LAST_OF_OUTAGE } from '../incidents/neighbours.ts';
import { giveUp, shutOut } from './watch-ends.ts';

/** Edits are paused all together, posts by the channel or person that they go to. */
export const EDITS = 'edits';

export async function pause(sql: SqlWrite, subject: string, until: Date): Promise<void> {
  await sql.write(
    `INSERT INTO slack_pauses (subject, until) VALUES ($1, $2)
     ON CONFLICT (subject) DO UPDATE SET until = GREATEST(slack_pauses.until, EXCLUDED.until)`,
    [subject, until],
  );
}

/** The end of a lease that begins now, by the database's clock, since replicas' clocks may differ. */
const LEASE_END = `clock_timestamp() + interval '${POSTING_LEASE_MS} milliseconds'`;

function leaseIsOver(row: string): string {
  return `${row}.leased_until <= clock_timestamp()`;
}

export const WatchMessageKind = z.enum(['digest', 'gap', 'changes', 'summary', 'watch-ended', 'thread']);

const ClaimedRow = rowWith({
  id: z.string(),
  kind: WatchMessageKind,
  channel: z.string(),
  threadTs: z.string().nullable(),
  attempt: z.number(),
  claimedAt: z.date(),
  unresolvedSince: z.date().nullable(),
});

export function destinationOf(row: string): string {
  return `coalesce(${row}.recipient, (SELECT to_watch.channel FROM watches to_watch WHERE to_watch.id = ${row}.watch_id))`;
}

type Posting = Pick<
  DeliveryStore,
  | 'claimMessage'
  | 'renewClaim'
  | 'notePosted'
  | 'noteNotPosted'
  | 'noteRateLimited'
  | 'noteUnresolved'
  | 'noteGivenUp'
  | 'noteShutOut'
> & {
  /** Only for a process that is alone on its store: these leases are those of dead processes. They end `afterMs` from now. */
  releaseClaims(afterMs: number): Promise<void>;
};

export function deliveries(database: Database): Posting {
  return {
    claimMessage: (now) => database.withTransaction((sql) => claim(sql, now)),
    renewClaim: async ({ id, attempt }) => (await database.write(RENEWED, [id, attempt])) > 0,
    notePosted: async (messageId, { ts, fingerprint, failures }, now) => {
      await database.write(POSTED, [messageId, ts, fingerprint, failures, now]);
    },
    noteNotPosted: (claimed, reason, retryAt) => wait(database, claimed, reason, retryAt),
    noteRateLimited: (claimed, until) =>
      database.withTransaction(async (sql) => {
        await pause(sql, claimed.channel, until);
        await wait(sql, claimed, 'ratelimited', until);
      }),
    noteUnresolved: async (claimed, forMs) => {
      await database.write(UNRESOLVED, [claimed.id, claimed.attempt, forMs]);
    },
    noteGivenUp: (claimed, reason) => giveUp(database, claimed, reason),
    noteShutOut: (claimed, why, trouble, now) =>
      database.withTransaction((sql) => shutOut(sql, claimed, why, trouble, now)),
    releaseClaims: (afterMs) =>
      database.withTransaction(async (sql) => {
        await sql.write(
          `UPDATE messages SET leased_until = LEAST(leased_until, clock_timestamp() + $1 * interval '1 millisecond')
          WHERE state = 'posting'`,
          [afterMs],
        );
        await sql.write('UPDATE messages SET edit_leased_until = clock_timestamp() WHERE drawing_to IS NOT NULL');
      }),
  };
}

/** A digest that has waited mentions nobody for what has ended, or was acknowledged, meanwhile. */
async function claim(sql: Sql, now: Date): Promise<ClaimedMessage | null> {
  const [claimed] = await sql.rows(ClaimedRow, CLAIM, [now]);
  if (claimed === undefined) return null;
  if (claimed.kind === 'digest' && claimed.unresolvedSince === null) await sql.write(MENTION_IF_NEEDED, [claimed.id]);
  return claimed;
}

const MENTION_IF_NEEDED = `
  UPDATE messages SET mention = NULL WHERE id = $1 AND mention IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM announcements a JOIN episodes s ON s.id = a.episode_id CROSS JOIN LATERAL (${LAST_OF_OUTAGE}) last
    WHERE a.message_id = $1 AND last.state NOT IN ('recovering', 'resolved') AND last.acknowledged_at IS NULL)`;

/** A message of another kind waits for a version that knows it, and blocks no other. */
const KNOWN_KINDS = WatchMessageKind.options.map((kind) => `'${kind}'`).join(', ');

/** A message in a thread waits until its parent is posted; if the parent is gone, there is nothing to reply to. */
export const HAS_PLACE = `(one.thread_of IS NULL
  OR EXISTS (SELECT 1 FROM messages first WHERE first.id = one.thread_of AND first.state = 'posted' AND first.ts <> ''))`;

/** Of a removed watch, only the notice of its removal is posted. */
const POSTABLE = `(of.ended_at IS NULL OR one.kind = 'watch-ended') AND one.kind IN (${KNOWN_KINDS}) AND ${HAS_PLACE}`;

/** Returns when the lease on `row` ends by the caller's clock, whose time is $1; rounded up to the precision of a date. */
function leaseEndOf(row: string): string {
  return `$1::timestamptz + (${row}.leased_until - clock_timestamp()) + interval '1 millisecond'`;
}

/** When each pending message is due (`due_at`), by the conditions of `CLAIM`. */
export const POSTS_DUE = `
  SELECT GREATEST(p.until, CASE one.state WHEN 'waiting' THEN one.retry_at ELSE ${leaseEndOf('one')} END, $1::timestamptz) AS due_at
  FROM messages one JOIN watches of ON of.id = one.watch_id
  LEFT JOIN slack_pauses p ON p.subject = coalesce(one.recipient, of.channel)
  WHERE one.state IN ('waiting', 'posting') AND ${POSTABLE}`;

const IS_DUE = `
  ((one.state = 'waiting' AND (one.retry_at IS NULL OR one.retry_at <= $1)) OR (one.state = 'posting' AND ${leaseIsOver('one')}))
  AND NOT EXISTS (SELECT 1 FROM slack_pauses p WHERE p.subject = coalesce(one.recipient, of.channel) AND p.until > $1)`;

/**
 * A post that was begun and never settled may be in its channel: the message is then unresolved, and shows what was recorded before it was
 * first begun. It is drawn after this, so earlier requests to redraw it are done. Of a removed watch only the notice of its removal is
 * posted. New messages come before replies in threads.
 */
const CLAIM = `
  UPDATE messages d
  SET state = 'posting', attempt = attempt + 1, begun_at = $1, leased_until = ${LEASE_END},
    unresolved_since = coalesce(unresolved_since, begun_at),
    drawing_to = coalesce(unresolved_since, begun_at, $1),
    redraw_at = CASE WHEN coalesce(unresolved_since, begun_at) IS NULL THEN NULL ELSE redraw_at END
  WHERE d.id = (
    SELECT one.id FROM watches of JOIN messages one ON of.id = one.watch_id
    WHERE ${POSTABLE} AND ${IS_DUE}
    ORDER BY one.thread_of IS NOT NULL, one.created_at, one.id LIMIT 1
    FOR UPDATE OF one SKIP LOCKED
  )
  RETURNING d.id, d.kind, ${destinationOf('d')} AS channel, d.attempt,
    (SELECT first.ts FROM messages first WHERE first.id = d.thread_of) AS thread_ts, d.begun_at AS claimed_at, d.unresolved_since`;

const RENEWED = `
  UPDATE messages SET leased_until = ${LEASE_END} WHERE id = $1 AND state = 'posting' AND attempt = $2`;

const POSTED = `
  UPDATE messages SET state = 'posted', ts = $2, fingerprint = $3, shown_failures = $4, posted_at = $5, edit_begun_at = $5,
    leased_until = NULL, shown_to = drawing_to, drawing_to = NULL
  WHERE id = $1 AND state IN ('waiting', 'posting')`;

/** A replica whose clock is ahead would look for it before Slack has it, and post it twice: the database's clock says when. */
const UNRESOLVED = `
  UPDATE messages SET leased_until = clock_timestamp() + $3 * interval '1 millisecond', last_refusal = NULL
  WHERE id = $1 AND state = 'posting' AND attempt = $2`;

async function wait(sql: SqlWrite, claimed: ClaimedMessage, reason: string, retryAt: Date): Promise<void> {
  await sql.write(
    `UPDATE messages SET state = 'waiting', retry_at = $4, last_refusal = $3, begun_at = NULL, leased_until = NULL
     WHERE id = $1 AND state = 'posting' AND attempt = $2`,
    [claimed.id, claimed.attempt, reason, retryAt],
  );
}
