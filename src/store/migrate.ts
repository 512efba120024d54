import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import type { Logger } from '../lib/logger.ts';
import { dbOn, type Engine } from './db.ts';
import { StoreUnusableError } from './errors.ts';
import { getValue, lockKey, putValue } from './kv.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const APPLIED = 'migrations';
const ANOTHER_VERSION =
  'the database was made by another version of Notif: start that version, or set NOTIF_DATA_DIR or DATABASE_URL to an empty one';
const KvRow = z.object({ isThere: z.boolean() });

/** They only ever add: old replicas go on while they're replaced. */
export function migrate({ connect }: Engine, logger: Logger): Promise<void> {
  return dbOn(connect, { logger }).transaction(async (tx) => {
    await lockKey(tx, APPLIED);
    const [kv] = await tx.rows(KvRow, "SELECT to_regclass('kv') IS NOT NULL AS is_there");
    const applied = kv?.isThere ? await getValue(tx, APPLIED, z.array(z.string())) : [];
    const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
    const known = migrations.map(({ hash }) => hash);
    if (applied === null || applied.some((hash) => !known.includes(hash)))
      throw new StoreUnusableError(ANOTHER_VERSION);
    const missing = migrations.filter(({ hash }) => !applied.includes(hash));
    for (const { sql } of missing) for (const statement of sql) await tx.write(statement);
    if (missing.length > 0) await putValue(tx, APPLIED, known);
  });
}
