import { z } from 'zod';
import type { Watch } from '../domain/digest.ts';
import type { Database, Sql } from './database.ts';
import { openPositions } from './positions.ts';

export interface Watches {
  /** The channel's watch, made at `now` where it has none. It is told what is recorded from then on. */
  ensureWatch(channel: string, now: Date): Promise<Watch>;
  /** All of them, the oldest first. */
  watches(): Promise<Watch[]>;
}

const WatchRow = z
  .object({ id: z.string(), channel: z.string(), created_at: z.date() })
  .transform((row): Watch => ({ id: row.id, channel: row.channel, createdAt: row.created_at }));

export function watches(database: Database): Watches {
  return {
    ensureWatch: (channel, now) => database.withTransaction((sql) => ensureWatch(sql, channel, now)),
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
