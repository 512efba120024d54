import { subDays, subMilliseconds } from 'date-fns';
import { DAY_MS, WEEK_MS } from '../lib/time/durations.ts';
import type { SqlValue } from './db.ts';
import type { OpenDb } from './open.ts';

/** More at once would block the embedded database for over a few milliseconds. */
const MOST_ROWS = 2_000;

type PruneCtx = Pick<OpenDb, 'db' | 'vacuum'> & { now: () => Date; retentionDays: number; horizonMs: number };

export async function prune(ctx: PruneCtx, signal?: AbortSignal) {
  const { db, vacuum } = ctx;
  let deleted = 0;
  for (const [table, where, ...values] of deletions(ctx)) {
    const statement = `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${where} LIMIT ${MOST_ROWS})`;
    for (let rows = MOST_ROWS; rows === MOST_ROWS && signal?.aborted !== true; deleted += rows)
      rows = await db.write(statement, values);
  }
  await vacuum(signal);
  return deleted;
}

function deletions({ now: clock, retentionDays, horizonMs }: PruneCtx): (readonly [string, string, ...SqlValue[]])[] {
  const now = clock();
  const oldest = subDays(now, retentionDays);
  return [
    ['failures', `${IS_KNOWN} AND recorded_at < $1`, oldest],
    ['incidents', FORGOTTEN_INCIDENT, oldest, subDays(now, Math.max(LONG_KEPT_DAYS, retentionDays))],
    ['success_counts', 'created < $1', subMilliseconds(now, Math.max(horizonMs, WEEK_MS) + DAY_MS)],
    ['mutes', 'until < $1', oldest],
    ['messages', FORGOTTEN_MESSAGE, oldest],
    ['gaps', 'closed_at < $1', oldest],
    ['watches', 'ended_at < $1 AND NOT EXISTS (SELECT FROM messages m WHERE m.watch_id = watches.id)', oldest],
    ['event_counts', `${IS_KNOWN} AND minute < $1`, oldest],
    ['workflows', 'last_seen_at < $1', subDays(now, LONG_KEPT_DAYS)],
    ['triggers', 'closed_at IS NOT NULL AND claimed_at < $1', oldest],
    ['sendings', 'started_at < $1 AND NOT EXISTS (SELECT FROM triggers t WHERE t.sending = sendings.id)', oldest],
    ['audit', 'at < $1 AND NOT EXISTS (SELECT FROM incidents i WHERE i.id = audit.incident_id)', oldest],
    ['changes', 'at < $1', oldest],
    ['kv', 'expires_at < $1', now],
  ];
}

/** Makes PostgreSQL use an index by environment. */
const IS_KNOWN = 'environment IN (SELECT environment FROM environments)';

const LONG_KEPT_DAYS = 365;

/** Notes are kept longer: a cause can come back after months. */
const FORGOTTEN_INCIDENT = `last_recorded_at < $1 AND NOT EXISTS (
  SELECT FROM audit n WHERE n.incident_id = incidents.id AND n.change ->> 'action' = 'noted' AND n.at >= $2)`;

/** A watch would be notified again of an incident that is kept longer than its message. */
const FORGOTTEN_MESSAGE = `created_at < $1
  AND NOT EXISTS (SELECT FROM alerts a JOIN incidents i ON i.id = a.incident_id WHERE a.message_id = messages.id AND i.last_recorded_at >= $1)`;
