import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { Count, type Db, jsonOf, onlyRow } from '../store/db.ts';
import { channelOf, IS_NEXT, LEASE_MS, LIVE, leaseOf, PENDING, SILENCED } from './claims.ts';
import { WATCH_ENDS } from './kinds.ts';

export const releaseClaims = (db: Db, afterMs: number) =>
  db.write(
    `UPDATE messages SET leased_until = LEAST(leased_until, ${leaseOf(afterMs)}) WHERE leased_until IS NOT NULL`,
  );

/** Retries what waits once Slack answers, apart from rate limits and posts that may be under way. */
export async function hurry(db: Db, now: Date): Promise<void> {
  await db.write(HURRY, [now, jsonOf(['ratelimited', SILENCED]), subMilliseconds(now, 2 * LEASE_MS)]);
}

const HURRY = `
  UPDATE messages SET next_at = NULL, leased_until = clock_timestamp()
  WHERE (state = 'waiting' AND next_at > $1 AND NOT $2::jsonb ? coalesce(last_refusal, ''))
    OR (state = 'posting' AND begun_at < $3)`;

const DueRow = z.object({ dueAt: z.date().nullable() });

export async function nextDueAt(db: Db, now: Date): Promise<Date | null> {
  return onlyRow(await db.rows(DueRow, NEXT, [now])).dueAt;
}

const LEASE_END = `$1::timestamptz + (m.leased_until - clock_timestamp()) + interval '1 millisecond'`;
const NEXT = `
  SELECT min(due_at) AS due_at FROM (
    SELECT CASE m.state WHEN 'waiting' THEN coalesce(m.next_at, $1) ELSE ${LEASE_END} END AS due_at FROM messages m WHERE ${PENDING} AND ${IS_NEXT}
    UNION ALL SELECT GREATEST(m.next_at, ${LEASE_END}) FROM messages m
      WHERE ${LIVE} AND (m.next_at IS NOT NULL OR m.leased_until IS NOT NULL)
  ) due`;

export type Backlog = z.output<typeof BacklogRow>;
const BacklogRow = z.object({ waiting: Count, oldest: z.date().nullable(), oldestHeldUp: z.date().nullable() });

export async function backlogOf(db: Db, now: Date): Promise<Backlog> {
  return onlyRow(await db.rows(BacklogRow, BACKLOG, [jsonOf(WATCH_ENDS), now]));
}

/** Never negative: a clock that was set back holds up messages, too. */
export function waitedMs({ oldest }: Pick<Backlog, 'oldest'>, now: Date): number {
  return oldest === null ? 0 : Math.abs(now.getTime() - oldest.getTime());
}

/** A message that others overtook by ten minutes isn't `oldest`: its trouble isn't Slack's. */
const BACKLOG = `
  SELECT count(*) AS waiting, min(m.created_at) FILTER (WHERE m.created_at > interval '-10 minutes'
      + coalesce((SELECT max(posted_at) FROM messages WHERE posted_at <= $2), '-infinity')) AS oldest,
    min(m.created_at) FILTER (WHERE m.last_refusal IS NULL OR NOT $1::jsonb ? m.last_refusal) AS oldest_held_up
  FROM messages m WHERE ${PENDING} AND m.last_refusal IS DISTINCT FROM '${SILENCED}'`;

const RefusedRow = z.object({ channel: z.string(), reason: z.string() });

export const editRefusals = (db: Db) => db.rows(RefusedRow, REFUSED);

const REFUSED = `
  SELECT DISTINCT w.channel, m.last_refusal AS reason FROM messages m JOIN watches w ON w.id = m.watch_id
  WHERE ${LIVE} AND m.next_at IS NOT NULL AND m.attempt > 3 AND m.last_refusal IS NOT NULL AND w.ended_at IS NULL ORDER BY 1`;

const BlockedRow = z.object({ channel: z.string(), reason: z.enum(WATCH_ENDS), messages: Count, oldest: z.date() });

export const blockedChannels = (db: Db) => db.rows(BlockedRow, BLOCKED, [jsonOf(WATCH_ENDS)]);

const BLOCKED = `
  SELECT ${channelOf('m')} AS channel, m.last_refusal AS reason, count(*) AS messages, min(m.created_at) AS oldest
  FROM messages m WHERE ${PENDING} AND $1::jsonb ? m.last_refusal GROUP BY 1, 2 ORDER BY oldest, channel`;
