import { z } from 'zod';
import type { Watch } from '../domain/digest.ts';
import type { Database, Sql } from './database.ts';
import { openPositions } from './positions.ts';

export interface Watches {
  /** The channel's watch, made at `now` where it has none. It is told what is recorded from then on. */
  ensureWatch(channel: string, now: Date): Promise<Watch>;
  /**
   * Makes the configured channel the only one with a watch. An unknown channel takes over the watch that is there, with all that it
   * has not been told: its posted digests are left as they stand, and groups that go on are announced anew where they can be seen.
   * Null ends every watch.
   */
  configureWatch(channel: string | null, now: Date): Promise<void>;
  /** All of them, the oldest first. */
  watches(): Promise<Watch[]>;
}

const WatchRow = z
  .object({ id: z.string(), channel: z.string(), created_at: z.date() })
  .transform((row): Watch => ({ id: row.id, channel: row.channel, createdAt: row.created_at }));

export function watches(database: Database): Watches {
  return {
    ensureWatch: (channel, now) => database.withTransaction((sql) => ensureWatch(sql, channel, now)),
    configureWatch: (channel, now) => database.withTransaction((sql) => configureWatch(sql, channel, now)),
    watches: () => database.rows(WatchRow, 'SELECT id, channel, created_at FROM watches ORDER BY created_at, id'),
  };
}

async function ensureWatch(sql: Sql, channel: string, now: Date): Promise<Watch> {
  const [watch] = await sql.rows(
    WatchRow,
    `INSERT INTO watches (id, channel, created_at) VALUES (gen_random_uuid()::text, $1, $2)
     ON CONFLICT (channel) DO UPDATE SET channel = EXCLUDED.channel RETURNING id, channel, created_at`,
    [channel, now],
  );
  if (watch === undefined) throw new Error('a watch was neither made nor found');
  await openPositions(sql);
  return watch;
}

async function configureWatch(sql: Sql, channel: string | null, now: Date): Promise<void> {
  if (channel === null) {
    await sql.write('DELETE FROM watches');
    return;
  }
  const [known] = await sql.rows(WatchRow, KNOWN_WATCH, [channel]);
  if (known !== undefined && known.channel !== channel) await moveWatch(sql, known.id, channel);
  await ensureWatch(sql, channel, now);
  await sql.write('DELETE FROM watches WHERE channel <> $1', [channel]);
}

/** The channel's own watch or, where it has none, the oldest. */
const KNOWN_WATCH = 'SELECT id, channel, created_at FROM watches ORDER BY channel = $1 DESC, created_at, id LIMIT 1';

async function moveWatch(sql: Sql, watchId: string, channel: string): Promise<void> {
  await sql.write('UPDATE watches SET channel = $2 WHERE id = $1', [watchId, channel]);
  await sql.write(
    `UPDATE announcements a SET told_to = d.shown_to FROM digests d
     WHERE a.digest_id = d.id AND d.watch_id = $1 AND d.state = 'posted'`,
    [watchId],
  );
  await sql.write(`UPDATE digests SET state = 'gone' WHERE watch_id = $1 AND state = 'posted'`, [watchId]);
}
