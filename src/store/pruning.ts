import { subDays, subHours } from 'date-fns';
import type { Database, SqlValue } from './database.ts';

export interface Pruning {
  /**
   * Deletes what is older than `retentionDays`, and what is no longer needed to count events once. Returns the number of rows
   * deleted. The signal ends it between two chunks.
   */
  prune(now: Date, retentionDays: number, signal?: AbortSignal): Promise<number>;
}

/** A bigger delete would block the embedded database, which runs on the event loop, for more than a few milliseconds. */
const CHUNK = 2_000;

interface Step {
  readonly table: string;
  readonly where: string;
  readonly values: readonly SqlValue[];
}

export function pruning(database: Database): Pruning {
  return {
    async prune(now, retentionDays, signal) {
      let deleted = 0;
      for (const step of stepsAt(now, retentionDays)) deleted += await inChunks(database, step, signal);
      await database.vacuum(signal);
      return deleted;
    },
  };
}

/** In an order in which nothing is forgotten that would make something else be told or counted again. */
function stepsAt(now: Date, retentionDays: number): Step[] {
  const oldest = subDays(now, retentionDays);
  return [
    { table: 'failures', where: 'recorded_at < $1', values: [oldest] },
    {
      table: 'span_subjects',
      where: 'span_id IN (SELECT id FROM spans WHERE ends_at < $1)',
      values: [subHours(now, 1)],
    },
    { table: 'spans', where: 'ends_at < $1', values: [oldest] },
    { table: 'groups', where: UNUSED, values: [] },
    { table: 'digests', where: ALL_TOLD, values: [oldest] },
    { table: 'event_counts', where: 'minute < $1', values: [oldest] },
    { table: 'sightings', where: SETTLED, values: [oldest] },
    { table: 'trigger_intents', where: 'closed_at IS NOT NULL AND claimed_at < $1', values: [oldest] },
  ];
}

const UNUSED = `NOT EXISTS (SELECT 1 FROM failures f WHERE f.group_key = groups.key)
  AND NOT EXISTS (SELECT 1 FROM spans s WHERE s.group_key = groups.key)`;

/** A span whose announcement is forgotten would be announced again: it goes first, and its announcement with it. */
const ALL_TOLD = `created_at < $1 AND NOT EXISTS (SELECT 1 FROM announcements a WHERE a.digest_id = digests.id)`;

/** New events are read from eleven minutes before the cursor on; two hours are far beyond what is ever read as new again. */
const SETTLED = `next_read_at IS NULL AND (created_at < $1 OR created_at <
  (SELECT read_to FROM cursors c WHERE c.environment = sightings.environment) - interval '2 hours')`;

async function inChunks(database: Database, { table, where, values }: Step, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  while (signal?.aborted !== true) {
    const chunk = await database.write(
      `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${where} LIMIT ${CHUNK})`,
      values,
    );
    deleted += chunk;
    if (chunk < CHUNK) break;
  }
  return deleted;
}
