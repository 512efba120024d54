import { subDays } from 'date-fns';
import { NOTES_KEPT_DAYS } from '../lib/input/note.ts';
import type { Db, SqlValue } from './db.ts';
import { jsonOf } from './values.ts';

/** A bigger delete would block later statements, on the embedded database's one connection, for more than a few milliseconds. */
const CHUNK = 2_000;

interface Step {
  readonly table: string;
  readonly from?: string;
  readonly where: string;
  readonly values: readonly SqlValue[];
}

export function pruning(db: Db, vacuum: (signal?: AbortSignal) => Promise<void>) {
  return {
    /** Returns the number of rows deleted. The signal stops it between two chunks. */
    async prune(now: Date, retentionDays: number, signal?: AbortSignal): Promise<number> {
      await endForgotten(db, now);
      let deleted = 0;
      for (const step of stepsAt(now, retentionDays)) deleted += await inChunks(db, step, signal);
      await vacuum(signal);
      return deleted;
    },
  };
}

/** Lists the deletions in an order in which none causes anything else to be announced or counted again. */
function stepsAt(now: Date, retentionDays: number): Step[] {
  const oldest = subDays(now, retentionDays);
  return [
    { table: 'failures', where: 'recorded_at < $1', values: [oldest] },
    {
      table: 'incidents',
      where: FORGOTTEN_INCIDENT,
      values: [oldest, subDays(now, Math.max(NOTES_KEPT_DAYS, retentionDays))],
    },
    { table: 'success_counts', where: 'created < $1', values: [subDays(now, 4)] },
    { table: 'mutes', where: 'until < $1', values: [oldest] },
    { table: 'messages', where: FORGOTTEN_MESSAGE, values: [oldest] },
    { table: 'gaps', where: 'closed_at < $1', values: [oldest] },
    { table: 'watches', where: FORGOTTEN_WATCH, values: [oldest] },
    { table: 'event_counts', from: byEnvironment('event_counts'), where: 'minute < $1', values: [oldest] },
    { table: 'triggers', where: 'closed_at IS NOT NULL AND claimed_at < $1', values: [oldest] },
    { table: 'audit', where: FORGOTTEN_ENTRY, values: [oldest] },
    { table: 'changes', where: 'at < $1', values: [oldest] },
    { table: 'kv', where: 'expires_at < $1', values: [now] },
  ];
}

/** Notes help when a cause comes back after months, such as when keys are rotated, so what has one is kept longer. */
const FORGOTTEN_INCIDENT = `last_recorded_at < $1 AND NOT EXISTS (
  SELECT FROM audit n WHERE n.incident_id = incidents.id AND n.change ->> 'action' = 'noted' AND n.at >= $2)`;

const FORGOTTEN_ENTRY = `at < $1 AND NOT EXISTS (SELECT FROM incidents i WHERE i.id = audit.incident_id)`;

/** An open gap is told of once, by its message. */
const FORGOTTEN_MESSAGE = `created_at < $1 AND NOT EXISTS (SELECT FROM gaps g WHERE g.id = messages.subject AND g.closed_at IS NULL)`;

const FORGOTTEN_WATCH = `ended_at < $1 AND NOT EXISTS (SELECT FROM messages m WHERE m.watch_id = watches.id)`;

/** Joins a table with the environments, to match its index. */
function byEnvironment(table: string): string {
  return `environments c JOIN ${table} ON ${table}.environment = c.environment`;
}

/** After a day nothing resumes a trigger, so it ends as unknown, in the audit trail too. */
async function endForgotten(database: Db, now: Date): Promise<void> {
  await database.write(
    `WITH forgotten AS (UPDATE triggers SET closed_at = $1 WHERE closed_at IS NULL AND claimed_at < $2 RETURNING id)
     UPDATE audit SET outcome = $3::jsonb WHERE outcome ->> 'is' = 'begun' AND intent_id IN (SELECT id FROM forgotten)`,
    [now, subDays(now, 1), jsonOf({ is: 'unknown' })],
  );
}

async function inChunks(database: Db, step: Step, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  while (signal?.aborted !== true) {
    const chunk = await database.transaction((sql) => deleteChunk(sql, step));
    deleted += chunk;
    if (chunk < CHUNK) break;
  }
  return deleted;
}

async function deleteChunk(sql: Db, { table, from = table, where, values }: Step): Promise<number> {
  return sql.write(
    `DELETE FROM ${table} WHERE ctid IN (SELECT ${table}.ctid FROM ${from} WHERE ${where} LIMIT ${CHUNK})`,
    values,
  );
}
