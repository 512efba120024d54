import { min, subDays, subMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { WEEK_MS } from '../lib/time/durations.ts';
import type { OpenDb } from './open.ts';

/** More at once would block the embedded database for over a few milliseconds. */
const MOST_ROWS = 2_000;

/** What is usual is known by eight days. */
const LEAST_COUNTED_DAYS = 8;

/** Makes PostgreSQL use an index by environment. */
const IS_KNOWN = sql`environment IN (SELECT environment FROM environments)`;

/** Incidents with notes, and workflows. */
const LONG_KEPT_DAYS = 365;

type PruneCtx = Pick<OpenDb, 'db' | 'vacuum'> & { now: () => Date; retentionDays: number; horizonMs: number };

export async function prune(ctx: PruneCtx, signal?: AbortSignal): Promise<number> {
  const { db, vacuum } = ctx;
  await noteUncountable(ctx);
  let deleted = 0;
  for (const [name, isOld] of deletions(ctx)) {
    const table = sql.raw(name);
    const some = sql`SELECT ctid FROM ${table} WHERE ${isOld} LIMIT ${sql.raw(String(MOST_ROWS))}`;
    while (signal?.aborted !== true) {
      const rows = await db.write(sql`DELETE FROM ${table} WHERE ctid IN (${some})`);
      deleted += rows;
      if (rows < MOST_ROWS) break;
    }
  }
  await vacuum(signal);
  return deleted;
}

/**
 * Marks outbreaks that go on and of which failures are about to be deleted: people of these can't be told from others who fail later, so that
 * the outbreak has at least as many people as are counted.
 */
async function noteUncountable({ db, now, retentionDays }: PruneCtx): Promise<void> {
  const oldest = subDays(now(), retentionDays);
  const known = await db.rows(z.object({ environment: z.string() }), sql`SELECT environment FROM environments`);
  for (const { environment } of known)
    await db.transaction(async (tx) => {
      // A poll locks its environment first.
      await tx.write(sql`SELECT FROM environments WHERE environment = ${environment} FOR UPDATE`);
      await tx.write(sql`
        UPDATE outbreaks o
        SET
          is_at_least = true,
          subscribers = GREATEST(o.subscribers, kept.subscribers)
        FROM (
          SELECT
            f.incident_id,
            p.number,
            min(f.recorded_at) < ${oldest} AS is_deleted,
            count(DISTINCT f.subscriber_id) AS subscribers
          FROM outbreaks p
          JOIN failures f ON f.incident_id = p.incident_id
            AND f.occurred_at >= coalesce(p.covers_from, '-infinity')
          WHERE p.environment = ${environment}
            AND p.ended_at IS NULL
            AND p.began_at < ${oldest}
          GROUP BY f.incident_id, p.number
        ) kept
        WHERE o.incident_id = kept.incident_id
          AND o.number = kept.number
          AND (kept.is_deleted OR o.is_at_least)`);
    });
}

/** The tables that have rows to delete, and which. */
function deletions({ now: clock, retentionDays, horizonMs }: PruneCtx): (readonly [string, SQL])[] {
  const now = clock();
  const oldest = subDays(now, retentionDays);
  // Others are deleted after they were read last: these are of environments that aren't polled any more.
  const oldestWaiting = subMilliseconds(now, horizonMs + WEEK_MS);
  return [
    ['failures', sql`${IS_KNOWN} AND recorded_at < ${oldest}`],
    ['incidents', isForgottenIncident(oldest, subDays(now, Math.max(LONG_KEPT_DAYS, retentionDays)))],
    ['success_counts', sql`${IS_KNOWN} AND created < ${min([oldest, subDays(now, LEAST_COUNTED_DAYS)])}`],
    ['waiting_events', sql`due_at < ${oldestWaiting}`],
    ['mutes', sql`until < ${oldest}`],
    ['slack_messages', isForgottenMessage(oldest)],
    ['gaps', sql`closed_at < ${oldest}`],
    ['watches', sql`ended_at < ${oldest} AND NOT EXISTS (SELECT FROM slack_messages m WHERE m.owner = watches.id)`],
    ['event_counts', sql`${IS_KNOWN} AND minute < ${oldest}`],
    ['workflows', sql`last_seen_at < ${subDays(now, LONG_KEPT_DAYS)}`],
    ['triggers', sql`closed_at IS NOT NULL AND claimed_at < ${oldest}`],
    ['sendings', sql`started_at < ${oldest} AND NOT EXISTS (SELECT FROM triggers t WHERE t.sending = sendings.id)`],
    ['audit', sql`at < ${oldest} AND NOT EXISTS (SELECT FROM incidents i WHERE i.id = audit.incident_id)`],
    ['changes', sql`at < ${oldest}`],
    ['kv', sql`expires_at < ${now}`],
  ];
}

/** Notes are kept longer: a cause can come back after months. */
const isForgottenIncident = (oldest: Date, oldestNote: Date): SQL => sql`
  last_recorded_at < ${oldest}
  AND NOT EXISTS (
    SELECT FROM audit n
    WHERE n.incident_id = incidents.id
      AND n.change ->> 'action' = 'noted'
      AND n.at >= ${oldestNote})`;

/** A message stays as long as an incident that it shows. */
const isForgottenMessage = (oldest: Date): SQL => sql`
  created_at < ${oldest}
  AND NOT EXISTS (
    SELECT FROM watch_alerts a
    JOIN incidents i ON i.id = a.incident_id
    WHERE a.message_id = slack_messages.id
      AND i.last_recorded_at >= ${oldest})`;
