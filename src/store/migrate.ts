import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import type { Logger } from '../lib/logger.ts';
import { dbOn, type Engine } from './db.ts';
import { StoreUnusableError } from './errors.ts';
import { getValue, lockKey, putValue } from './kv.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const APPLIED = 'migrations';
const USE_EMPTY =
  'set NOTIF_DATA_DIR or DATABASE_URL to an empty one: Notif then starts fresh and reads the last hour again';
const NOT_OURS = `the database has tables that were not made by a released version of Notif: ${USE_EMPTY}`;
const GO_BACK = 'start the version that made it, or restore a backup from before it';
const TablesRow = z.object({ hasKv: z.boolean(), hasWatches: z.boolean() });
const TABLES = "SELECT to_regclass('kv') IS NOT NULL AS has_kv, to_regclass('watches') IS NOT NULL AS has_watches";

/** Old replicas go on while they're replaced: a migration takes away only what the version before it doesn't need. */
export function migrate({ connect }: Engine, logger: Logger): Promise<void> {
  return dbOn(connect, { logger }).transaction(async (tx) => {
    await lockKey(tx, APPLIED);
    const [has] = await tx.rows(TablesRow, TABLES);
    const before = has?.hasWatches ? null : [];
    const applied = has?.hasKv ? await getValue(tx, APPLIED, z.array(z.string())) : before;
    const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
    const known = migrations.map(({ hash }) => hash);
    if (applied === null) throw new StoreUnusableError(NOT_OURS);
    const schemas = `schema ${applied.length} of another version of Notif, and this one knows schema ${known.length}`;
    if (applied.some((hash) => !known.includes(hash)))
      throw new StoreUnusableError(`the database has ${schemas}: ${GO_BACK}`);
    const missing = migrations.filter(({ hash }) => !applied.includes(hash));
    for (const { sql } of missing) for (const statement of sql) await tx.write(statement);
    if (missing.length > 0) await putValue(tx, APPLIED, known);
  });
}
