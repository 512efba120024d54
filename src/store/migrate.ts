import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import { systemCode } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { boundedId, stored } from '../lib/text/shown-id.ts';
import { sleep } from '../lib/time/waiting.ts';
import { type Db, dbOn, type Engine, onlyRow } from './db.ts';
import { StoreUnusableError } from './errors.ts';
import { getValue, lockKey, putValue } from './kv.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const APPLIED = 'migrations';
export const Applied = z.array(z.string());
const RESTORE = 'put back what a backup has there, or restore the backup';
const GO_BACK = 'start the version that made it, or restore a backup from before it';
const UsedRow = z.object({ isUsed: z.boolean() });
const USED = "SELECT to_regclass('kv') IS NOT NULL AS is_used";
/** PostgreSQL looks for a circle of waiting transactions after a second, and would end a replica's. */
const LONGEST_WAIT = "SET LOCAL statement_timeout = '500ms'";
const TOOK_TOO_LONG = '57014';
const LOCK_AGAIN_MS = 1_000;
/** Five minutes, with half a second a try. */
const MOST_TRIES = 200;
const IN_USE =
  'the tables of DATABASE_URL are in use, and a new version has to change them: end the backup or query that holds them, and start again';

/**
 * Replicas of the version before run on meanwhile. So a migration removes only what the schema before it no longer has (`migrate.test.ts`
 * holds that), and never waits for a replica that waits for it.
 */
export async function migrate({ connect }: Engine, logger: Logger): Promise<void> {
  const db = dbOn(connect, { logger });
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction((tx) => migrateWithin(tx, logger));
    } catch (cause) {
      if (systemCode(cause) !== TOOK_TOO_LONG) throw cause;
      if (tries === MOST_TRIES) throw new StoreUnusableError(IN_USE, { cause });
      if (tries === 1) logger.info({}, 'Migration waits for tables in use');
      await sleep(LOCK_AGAIN_MS);
    }
  }
}

async function migrateWithin(tx: Db, logger: Logger) {
  await lockKey(tx, APPLIED);
  const { isUsed } = onlyRow(await tx.rows(UsedRow, USED));
  const applied = isUsed ? await getValue(tx, APPLIED, Applied) : [];
  if (applied === null) throw new StoreUnusableError(`the row 'migrations' of the table kv can't be read: ${RESTORE}`);
  const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
  const known = migrations.map(({ hash }) => hash);
  const schemas = `schema ${applied.length} of another version of Notif, and this one knows schema ${known.length}`;
  if (applied.some((hash) => !known.includes(hash)))
    throw new StoreUnusableError(`the database has ${schemas}: ${GO_BACK}`);
  const missing = migrations.filter(({ hash }) => !applied.includes(hash));
  if (missing.length === 0) return;
  const statements = missing.flatMap(({ sql }) => sql);
  await lockTables(tx, statements);
  logger.info({ migrations: missing.length }, 'Migrating the database');
  for (const statement of statements) await tx.write(statement);
  await putValue(tx, APPLIED, { Value: Applied, value: stored(known.map(boundedId)) });
}

const NameRow = z.object({ name: z.string() });
const TABLES = 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY name';

/** Takes all locks of the statements at once, so that none of them has to wait for one. */
async function lockTables(tx: Db, statements: readonly string[]) {
  const words = new Set(statements.join(' ').match(/\w+/g));
  const tables = (await tx.rows(NameRow, TABLES)).filter(({ name }) => words.has(name));
  if (tables.length === 0) return;
  await tx.write(LONGEST_WAIT);
  await tx.write(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')}`);
  await tx.write('SET LOCAL statement_timeout = 0');
}
