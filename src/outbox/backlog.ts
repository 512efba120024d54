import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { CHANNEL_REFUSALS, type ChannelRefusal, TAB_OFF } from '../lib/refusals.ts';
import { Count, type Db, onlyRow, textList } from '../store/db.ts';
import { HELD, IS_LIVE, IS_NEXT, IS_TO_POST, LONGEST_RETRY_MS } from './claims.ts';

const DueRow = z.object({ dueAt: z.date().nullable() });

/**
 * When a lease is over by `now`'s clock, as leases are by the database's. A millisecond later, as times in JavaScript have no microseconds: the lease is
 * over by then.
 */
const leaseEnd = (now: Date): SQL =>
  sql`${now}::timestamptz + (m.leased_until - clock_timestamp()) + interval '1 millisecond'`;

/** When the next message is to be posted or edited; null: none is. */
export async function nextDueAt(db: Db, now: Date): Promise<Date | null> {
  const row = await db.rows(
    DueRow,
    sql`
      SELECT min(due_at) AS due_at
      FROM (
        SELECT CASE m.state WHEN 'waiting' THEN coalesce(m.next_at, ${now}) ELSE ${leaseEnd(now)} END AS due_at
        FROM slack_messages m
        WHERE ${IS_TO_POST}
          AND ${IS_NEXT}
        UNION ALL
        SELECT GREATEST(m.next_at, ${leaseEnd(now)})
        FROM slack_messages m
        WHERE ${IS_LIVE}
          AND (m.next_at IS NOT NULL OR m.leased_until IS NOT NULL)
      ) due`,
  );
  return onlyRow(row).dueAt;
}

/** Messages that wait to be posted. */
export interface Backlog {
  waiting: number;
  /** When the oldest was written; null: none waits, or others overtook it, so that its trouble isn't Slack's. */
  oldest: Date | null;
  /** The oldest of those whose channel doesn't refuse them. */
  oldestUnblocked: Date | null;
}

const BacklogRow = z.object({ waiting: Count, oldest: z.date().nullable(), oldestUnblocked: z.date().nullable() });

/** A message is overtaken by a post so long after it was written: twice the longest pause between tries, so that each had its turn. */
const OVERTAKEN_AFTER_MS = 2 * LONGEST_RETRY_MS;

export async function backlogOf(db: Db, now: Date): Promise<Backlog> {
  // As a subquery it is evaluated once: as a joined table, PostgreSQL reads all messages again for each that waits.
  const newestPost = sql`(
    SELECT coalesce(max(posted_at), '-infinity')
    FROM slack_messages
    WHERE posted_at <= ${now}
  )`;
  const rows = await db.rows(
    BacklogRow,
    sql`
      SELECT
        count(*) AS waiting,
        min(m.created_at) FILTER (
          WHERE m.created_at > ${newestPost} - ${OVERTAKEN_AFTER_MS} * interval '1 millisecond') AS oldest,
        min(m.created_at) FILTER (
          WHERE m.last_refusal IS NULL OR m.last_refusal NOT IN ${textList(CHANNEL_REFUSALS)}) AS oldest_unblocked
      FROM slack_messages m
      WHERE ${IS_TO_POST}
        AND m.last_refusal IS DISTINCT FROM ${HELD}`,
  );
  return onlyRow(rows);
}

/** Never negative: a clock that was set back holds up messages, too. */
export function waitedMs({ oldest }: Pick<Backlog, 'oldest'>, now: Date): number {
  return oldest === null ? 0 : Math.abs(now.getTime() - oldest.getTime());
}

/** Why messages of a channel can't be edited. */
export interface RefusedEdit {
  channel: string;
  reason: string;
}

/** After so many tries, a rate limit or a Slack that was away for seconds has passed. */
const TRIES_BEFORE_TROUBLE = 3;

/** Edits that Slack has refused more often than what passes takes. */
export async function editRefusals(db: Db): Promise<readonly RefusedEdit[]> {
  return db.rows(
    z.object({ channel: z.string(), reason: z.string() }),
    sql`
      SELECT DISTINCT m.channel, m.last_refusal AS reason
      FROM slack_messages m
      WHERE ${IS_LIVE}
        AND m.next_at IS NOT NULL
        AND m.attempt > ${TRIES_BEFORE_TROUBLE}
        AND m.last_refusal IS NOT NULL
      ORDER BY 1`,
  );
}

/** Slack's code and a person whom no direct message has reached since. */
export interface RefusedPerson {
  person: string;
  code: string;
}

/** `TAB_OFF` is the app's own setting: a message that reached anybody since shows that it was changed. */
export async function refusedPeople(db: Db, since: Date): Promise<readonly RefusedPerson[]> {
  return db.rows(
    z.object({ person: z.string(), code: z.string() }),
    sql`
      SELECT m.channel AS person, m.last_refusal AS code
      FROM slack_messages m
      WHERE m.state = 'gone'
        AND m.created_at >= ${since}
        AND m.channel ~ '^[UW]'
        AND m.last_refusal ~ '^[a-z_]+$'
      GROUP BY m.channel, m.last_refusal
      HAVING max(m.created_at) > coalesce(
        (
          SELECT max(arrived.posted_at)
          FROM slack_messages arrived
          WHERE arrived.state = 'posted'
            AND arrived.channel ~ '^[UW]'
            AND (arrived.channel = m.channel OR m.last_refusal = ${TAB_OFF})
        ),
        '-infinity')
      ORDER BY m.channel`,
  );
}

/** A channel that refuses messages, and what waits for it. */
export interface BlockedChannel {
  channel: string;
  reason: ChannelRefusal;
  messages: number;
  oldest: Date;
}

const BlockedRow = z.object({
  channel: z.string(),
  reason: z.enum(CHANNEL_REFUSALS),
  messages: Count,
  oldest: z.date(),
});

export async function blockedChannels(db: Db): Promise<readonly BlockedChannel[]> {
  return db.rows(
    BlockedRow,
    sql`
      SELECT m.channel, m.last_refusal AS reason, count(*) AS messages, min(m.created_at) AS oldest
      FROM slack_messages m
      WHERE ${IS_TO_POST}
        AND m.last_refusal IN ${textList(CHANNEL_REFUSALS)}
      GROUP BY 1, 2
      ORDER BY oldest, channel`,
  );
}
