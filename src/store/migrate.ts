import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import type { Logger } from '../lib/logger.ts';
import { boundedId, stored } from '../lib/text/shown-id.ts';
import { dbOn, type Engine, onlyRow } from './db.ts';
import { StoreUnusableError } from './errors.ts';
import { getValue, lockKey, putValue } from './kv.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const APPLIED = 'migrations';
const GO_BACK = 'start the version that made it, or restore a backup from before it';
const UsedRow = z.object({ isUsed: z.boolean() });
const USED = "SELECT to_regclass('kv') IS NOT NULL AS is_used";

/** Old replicas run on meanwhile: a migration removes only what the version before it doesn't need. */
export function migrate({ connect }: Engine, logger: Logger) {
  return dbOn(connect, { logger }).transaction(async (tx) => {
    await lockKey(tx, APPLIED);
    const { isUsed } = onlyRow(await tx.rows(UsedRow, USED));
    const applied = (isUsed && (await getValue(tx, APPLIED, z.array(z.string())))) || [];
    const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
    const known = migrations.map(({ hash }) => hash);
    const schemas = `schema ${applied.length} of another version of Notif, and this one knows schema ${known.length}`;
    if (applied.some((hash) => !known.includes(hash)))
      throw new StoreUnusableError(`the database has ${schemas}: ${GO_BACK}`);
    const missing = migrations.filter(({ hash }) => !applied.includes(hash));
    if (missing.length > 0) logger.info({ migrations: missing.length }, 'Migrating the database');
    for (const { sql } of missing) for (const statement of sql) await tx.write(statement);
    if (missing.length > 0) await putValue(tx, APPLIED, stored(known.map(boundedId)));
  });
}
