import { z } from 'zod';
import type { Database } from './database.ts';
import { TABLES } from './migrations/0001-tables.ts';

/** All migrations, in order. After a release they only ever add, so that its replicas keep working while they're being replaced. */
export const MIGRATIONS = [{ version: 1, script: TABLES }];

/** 'noti' in ASCII. A migrating process holds this advisory lock, so that replicas starting at once take turns. */
const MIGRATION_LOCK = 0x6e_6f_74_69;

const Applied = z.object({ version: z.number() });

/** Applies all missing migrations, or none. */
export function migrate(database: Database): Promise<void> {
  return database.withTransaction(async (sql) => {
    await sql.write('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await sql.script(
      'CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL)',
    );
    const applied = await sql.rows(Applied, 'SELECT version FROM migrations');
    for (const { version, script } of MIGRATIONS) {
      if (applied.some((one) => one.version === version)) continue;
      await sql.script(script);
      await sql.write('INSERT INTO migrations (version, applied_at) VALUES ($1, now())', [version]);
    }
  });
}
