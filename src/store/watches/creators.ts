import { z } from 'zod';
import type { CreatedWatch, CreatorStore } from '../../use-cases/alerting/check-creators.ts';
import { recordOnWatch } from '../changes/audited.ts';
import type { Database, Sql } from '../database/database.ts';
import { rowWith } from '../database/row.ts';
import { WATCH_COLUMNS, WatchRow } from './watches.ts';

const CreatedRow = rowWith({ watchId: z.string(), createdBy: z.string(), orphanedAt: z.date().nullable() });

/** Stores whether the creators of watches are still in the workspace. */
export function creators(database: Database): Omit<CreatorStore, 'endOrphaned'> {
  return {
    watchesToCheck: (checkedBefore) =>
      database.rows(
        CreatedRow,
        `SELECT id AS watch_id, created_by, orphaned_at FROM watches
         WHERE ended_at IS NULL AND created_by IS NOT NULL AND coalesce(creator_checked_at, created_at) <= $1
         ORDER BY coalesce(creator_checked_at, created_at), id LIMIT 100`,
        [checkedBefore],
      ),
    noteCreatorThere: async ({ watchId, createdBy }, now) => {
      const there = 'UPDATE watches SET creator_checked_at = $3, orphaned_at = NULL WHERE id = $1 AND created_by = $2';
      await database.write(there, [watchId, createdBy, now]);
    },
    noteCreatorGone: (watch, now) => database.withTransaction((sql) => noteCreatorGone(sql, watch, now)),
    takeOver: (watchId, by, now) => database.withTransaction((sql) => takeOver(sql, watchId, by, now)),
  };
}

/** Slack is asked between reading the watch and this: somebody may have taken it over meanwhile, which the creator's ID tells. */
async function noteCreatorGone(sql: Sql, { watchId, createdBy }: CreatedWatch, now: Date): Promise<boolean> {
  const first = `UPDATE watches SET orphaned_at = $3
    WHERE id = $1 AND created_by = $2 AND orphaned_at IS NULL AND ended_at IS NULL`;
  const isFirst = (await sql.write(first, [watchId, createdBy, now])) > 0;
  if (isFirst) await sql.write(NOTIFY_CHANNEL, [watchId, now]);
  const checked = 'UPDATE watches SET creator_checked_at = $3 WHERE id = $1 AND created_by = $2';
  await sql.write(checked, [watchId, createdBy, now]);
  return isFirst;
}

async function takeOver(sql: Sql, watchId: string, by: string, now: Date): Promise<boolean> {
  const take = `UPDATE watches w SET created_by = $2, orphaned_at = NULL, creator_checked_at = $3
    WHERE id = $1 AND ended_at IS NULL AND orphaned_at IS NOT NULL RETURNING ${WATCH_COLUMNS}`;
  const [taken] = await sql.rows(WatchRow, take, [watchId, by, now]);
  if (taken === undefined) return false;
  await recordOnWatch(sql, taken, { by, now }, (watch) => ({ action: 'watch-taken-over', watch }));
  return true;
}

const NOTIFY_CHANNEL = `
  INSERT INTO messages (watch_id, kind, created_at, covered_from, covered_to)
  VALUES ($1, 'watch-orphaned', $2, $2, $2)`;
