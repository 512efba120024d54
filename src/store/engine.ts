import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import PQueue from 'p-queue';
import { z } from 'zod';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';
import { type Connect, dbOn } from './db.ts';
import { StoreUnusableError } from './errors.ts';
import { getValue, lockKey, putValue } from './kv.ts';

/** PostgreSQL, in this process or on a server. */
export interface Engine {
  readonly connect: Connect;
  /** Waits for running statements. A second call does nothing. */
  close(): Promise<void>;
}

/** At most `atOnce` connections are lent at a time; none any more once it closes, which ends with `end`. */
export function closable(connect: Connect, atOnce: number, end: () => Promise<void>): Engine {
  const turns = new PQueue({ concurrency: atOnce });
  let closing: Promise<void> | undefined;
  return {
    connect: async (use) => {
      if (closing !== undefined) throw new StoreTroubleError('not-answering', new Error('the database is closed'));
      return turns.add(() => connect(use));
    },
    close: () => {
      closing ??= turns.onIdle().then(end);
      return closing;
    },
  };
}

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const APPLIED = 'migrations';
const KvRow = z.object({ isThere: z.boolean() });

/**
 * Applies all missing migrations, or none; replicas that start at once take turns. After a release they only ever add, so that its
 * replicas go on while they're replaced. Throws `StoreUnusableError`.
 */
export function migrate({ connect }: Engine, logger: Logger): Promise<void> {
  return dbOn(connect, { logger }).transaction(async (tx) => {
    await lockKey(tx, APPLIED);
    const [kv] = await tx.rows(KvRow, "SELECT to_regclass('kv') IS NOT NULL AS is_there");
    const applied = kv?.isThere ? await getValue(tx, APPLIED, z.array(z.string())) : [];
    const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
    const known = migrations.map(({ hash }) => hash);
    if (applied === null || applied.some((hash) => !known.includes(hash)))
      throw new StoreUnusableError(
        'the database was made by another version of Notif',
        'start that version, or set NOTIF_DATA_DIR or DATABASE_URL to an empty one',
      );
    const missing = migrations.filter(({ hash }) => !applied.includes(hash));
    for (const { sql } of missing) for (const statement of sql) await tx.write(statement);
    if (missing.length > 0) await putValue(tx, APPLIED, known);
  });
}
