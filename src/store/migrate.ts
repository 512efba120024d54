import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import type { Logger } from '../lib/logger.ts';
import { dbOn, type Engine } from './db.ts';
import { StatementError, StoreUnusableError } from './errors.ts';
import { getValue, lockKey, putValue } from './kv.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const APPLIED = 'migrations';
const USE_EMPTY =
  'set NOTIF_DATA_DIR or DATABASE_URL to an empty one: Notif then starts fresh and reads the last hour again';
const NOT_OURS = `the database has tables that were not made by a released version of Notif: ${USE_EMPTY}`;
/** `duplicate_table`, `undefined_column`, `duplicate_object`. */
const OTHER_TABLES = /^42(P07|703|710)$/;
const GO_BACK = 'start the version that made it, or restore a backup from before it';
const KvRow = z.object({ isThere: z.boolean() });

/** They only ever add: old replicas go on while they're replaced. */
export function migrate({ connect }: Engine, logger: Logger): Promise<void> {
  const migrated = dbOn(connect, { logger }).transaction(async (tx) => {
    await lockKey(tx, APPLIED);
    const [kv] = await tx.rows(KvRow, "SELECT to_regclass('kv') IS NOT NULL AS is_there");
    const applied = kv?.isThere ? await getValue(tx, APPLIED, z.array(z.string())) : [];
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
  return migrated.catch((error: unknown) => {
    const isOther = error instanceof StatementError && OTHER_TABLES.test(error.code);
    throw isOther ? new StoreUnusableError(NOT_OURS, { cause: error }) : error;
  });
}
