import { z } from 'zod';
import type { Database } from './database.ts';
import { FIRST_TABLES } from './migrations/0001-first-tables.ts';
import { TRUSTED_WATCH } from './migrations/0002-trusted-watch.ts';
import { CHANGES } from './migrations/0003-changes.ts';
import { LIGHTER_FAILURES } from './migrations/0004-lighter-failures.ts';
import { BULKHEADS } from './migrations/0005-bulkheads.ts';
import { MISSES } from './migrations/0006-misses.ts';
import { STRETCHES } from './migrations/0007-stretches.ts';
import { DELIVERIES } from './migrations/0008-deliveries.ts';
import { CHECKED_NOW } from './migrations/0010-checked-now.ts';
import { SHARES } from './migrations/0012-shares.ts';
import { KEPT_WITH_FAILURES } from './migrations/0014-kept-with-failures.ts';
import { KEPT_TEXTS } from './migrations/0016-kept-texts.ts';
import { INCIDENTS } from './migrations/0020-incidents.ts';
import { THREADS } from './migrations/0024-threads.ts';
import { ASSIGNMENTS } from './migrations/0025-assignments.ts';
import { NO_COUNTED_ONLY } from './migrations/0026-no-counted-only.ts';

/** In the order in which they are applied. They only ever add: a replica of the version before goes on working meanwhile. */
export const MIGRATIONS = [
  { version: 1, script: FIRST_TABLES },
  { version: 2, script: TRUSTED_WATCH },
  { version: 3, script: CHANGES },
  { version: 4, script: LIGHTER_FAILURES },
  { version: 5, script: BULKHEADS },
  { version: 6, script: MISSES },
  { version: 7, script: STRETCHES },
  { version: 8, script: DELIVERIES },
  { version: 10, script: CHECKED_NOW },
  { version: 12, script: SHARES },
  { version: 14, script: KEPT_WITH_FAILURES },
  { version: 16, script: KEPT_TEXTS },
  { version: 20, script: INCIDENTS },
  { version: 24, script: THREADS },
  { version: 25, script: ASSIGNMENTS },
  { version: 26, script: NO_COUNTED_ONLY },
];

/** The newest change to the tables that this version knows. */
export const NEWEST_MIGRATION = Math.max(...MIGRATIONS.map(({ version }) => version));

/** 'noti' in ASCII: whoever migrates holds this advisory lock, so replicas that start at once take turns. */
const MIGRATION_LOCK = 0x6e_6f_74_69;

const Applied = z.object({ version: z.number() });

/** Brings the tables up to date: all migrations that are missing, or none. */
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
