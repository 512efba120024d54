import { subDays, subMilliseconds } from 'date-fns';
import { NOTES_KEPT_DAYS } from '../domain/incidents/note.ts';
import { type Database, jsonOf, type Sql, type SqlValue } from './database/database.ts';
import { HAS_EDITS } from './deliveries/edit-refusals.ts';
import { NOTED_EVERY_MS } from './failures/failure-names.ts';

/** A bigger delete would block later statements, on the embedded database's one connection, for more than a few milliseconds. */
const CHUNK = 2_000;

interface Step {
  readonly table: string;
  readonly from?: string;
  readonly where: string;
  readonly values: readonly SqlValue[];
  /** Nothing is recorded during a chunk: a write that would make a row needed again has been committed before it, or waits for it. */
  readonly aloneWithEnvironments?: true;
}

export function pruning(database: Database) {
  return {
    /** Returns the number of rows deleted. The signal stops it between two chunks. */
    async prune(now: Date, retentionDays: number, signal?: AbortSignal): Promise<number> {
      await endForgotten(database, now);
      await keepNotes(database, subDays(now, retentionDays));
      let deleted = 0;
      for (const step of stepsAt(now, retentionDays)) deleted += await inChunks(database, step, signal);
      await database.vacuum(signal);
      return deleted;
    },
  };
}

/** Lists the deletions in an order in which none causes anything else to be announced or counted again. */
function stepsAt(now: Date, retentionDays: number): Step[] {
  const oldest = subDays(now, retentionDays);
  return [
    { table: 'failures', where: 'recorded_at < $1', values: [oldest] },
    { table: 'episodes', where: 'ends_at < $1', values: [oldest] },
    { table: 'notes', where: NEEDED_BY_NONE, values: [subDays(now, Math.max(NOTES_KEPT_DAYS, retentionDays))] },
    { table: 'success_counts', where: 'created < $1', values: [subDays(now, 4)] },
    { table: 'group_counts', where: NEEDED_NO_MORE, values: [subDays(now, 2), subDays(now, 1)] },
    { table: 'mutes', where: 'settled_at IS NOT NULL AND until < $1', values: [oldest] },
    { table: 'groups', where: UNUSED, values: [], aloneWithEnvironments: true },
    { table: 'gaps', where: 'closed_at < $1', values: [oldest] },
    { table: 'messages', where: ALL_ANNOUNCED, values: [oldest] },
    { table: 'held_back', where: 'watch_id IN (SELECT id FROM watches WHERE ended_at IS NOT NULL)', values: [] },
    { table: 'watches', where: FORGOTTEN, values: [oldest] },
    { table: 'event_counts', from: byEnvironment('event_counts'), where: 'minute < $1', values: [oldest] },
    { table: 'failure_names', where: 'last_seen_at < $1', values: [subMilliseconds(oldest, NOTED_EVERY_MS)] },
    { table: 'triggers', where: 'closed_at IS NOT NULL AND claimed_at < $1', values: [oldest] },
    { table: 'audit', where: 'at < $1', values: [oldest] },
    { table: 'changes', where: 'at < $1', values: [oldest] },
    { table: 'edit_refusals', where: EDITED_NO_MORE, values: [subDays(now, 1)] },
    { table: 'kv', where: 'expires_at < $1', values: [now] },
    { table: 'slack_pauses', where: 'until < $1', values: [now] },
  ];
}

/**
 * An episode's row is drawn for a day after its message was posted, and an episode lasts at most a day. One that is held back, for a week at
 * most, is alerted to only if it reaches the watch's threshold.
 */
const NEEDED_NO_MORE = `minute < $1 AND NOT EXISTS (
  SELECT 1 FROM episode_parts part JOIN episodes s ON s.id = part.episode_id
  WHERE part.group_key = group_counts.group_key
    AND (s.ends_at > $2 OR EXISTS (SELECT 1 FROM held_back h WHERE h.episode_id = s.id)))`;

const UNUSED = `NOT EXISTS (SELECT 1 FROM failures f WHERE f.group_key = groups.key)
  AND NOT EXISTS (SELECT 1 FROM episodes s WHERE s.group_key = groups.key)
  AND NOT EXISTS (SELECT 1 FROM episode_parts part WHERE part.group_key = groups.key)
  AND NOT EXISTS (SELECT 1 FROM mutes m WHERE m.group_key = groups.key AND m.settled_at IS NULL)`;

/** What a deleted message announced would be announced again, so it goes with its episodes or with its gap. */
const ALL_ANNOUNCED = `created_at < $1 AND gap_id IS NULL AND NOT EXISTS (SELECT 1 FROM announcements a WHERE a.message_id = messages.id)`;

/** Notes outlive their episodes, so they store the episode's time themselves. */
async function keepNotes(database: Database, oldest: Date): Promise<void> {
  await database.write(
    `UPDATE notes SET first_seen = s.first_seen, last_seen = s.last_seen FROM episodes s
     WHERE s.id = notes.episode_id AND s.ends_at < $1 AND notes.first_seen IS NULL`,
    [oldest],
  );
}

const NEEDED_BY_NONE = `written_at < $1 AND NOT EXISTS (SELECT 1 FROM episodes s WHERE s.id = notes.episode_id)`;

/** Where nothing new is posted, the last message has been edited for a day. */
const EDITED_NO_MORE = `since < $1 AND NOT ${HAS_EDITS}`;

const FORGOTTEN = `ended_at < $1 AND NOT EXISTS (SELECT 1 FROM messages d WHERE d.watch_id = watches.id)`;

/** Joins a table with the environments, to match its index. */
function byEnvironment(table: string): string {
  return `environments c JOIN ${table} ON ${table}.environment = c.environment`;
}

/** After a day nothing resumes a trigger (`src/jobs/resume-triggers.ts`), so it ends as unknown, in the audit trail too. */
async function endForgotten(database: Database, now: Date): Promise<void> {
  await database.write(
    `WITH forgotten AS (UPDATE triggers SET closed_at = $1 WHERE closed_at IS NULL AND claimed_at < $2 RETURNING id)
     UPDATE audit SET outcome = $3::jsonb WHERE outcome ->> 'is' = 'begun' AND intent_id IN (SELECT id FROM forgotten)`,
    [now, subDays(now, 1), jsonOf({ is: 'unknown' })],
  );
}

async function inChunks(database: Database, step: Step, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  while (signal?.aborted !== true) {
    const chunk = await database.withTransaction((sql) => deleteChunk(sql, step));
    deleted += chunk;
    if (chunk < CHUNK) break;
  }
  return deleted;
}

/** The lock is a separate statement before the delete, which therefore sees everything committed until then. */
async function deleteChunk(
  sql: Sql,
  { table, from = table, where, values, aloneWithEnvironments }: Step,
): Promise<number> {
  if (aloneWithEnvironments) await sql.write('SELECT 1 FROM environments ORDER BY environment FOR UPDATE');
  return sql.write(
    `DELETE FROM ${table} WHERE ctid IN (SELECT ${table}.ctid FROM ${from} WHERE ${where} LIMIT ${CHUNK})`,
    values,
  );
}
