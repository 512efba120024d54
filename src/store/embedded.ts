import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { z } from 'zod';
import { type Answer, asking, type Database, type Sql } from './database.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { DataFolderUnusableError } from './errors.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { migrate } from './migrate.ts';

/**
 * Opens the embedded PostgreSQL (PGlite) with its files in `folder`, which is made where it is missing and locked until `close`.
 * Throws `DataFolderLockedError` and `DataFolderUnusableError`.
 */
export async function openEmbedded(folder: string): Promise<Database> {
  const dataDir = resolve(folder);
  await makeFolder(dataDir);
  const lock = await lockFolder(dataDir);
  try {
    const database = databaseOn(await PGlite.create(await initialised(dataDir)), lock);
    return await upToDate(database);
  } catch (error) {
    await lock.release();
    throw new DataFolderUnusableError(
      dataDir,
      'could not be opened as a database',
      'restore it from a backup, or move it away: Notif then starts anew and reads the last hour again',
      error,
    );
  }
}

async function makeFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    throw new DataFolderUnusableError(
      dataDir,
      'can not be made',
      'set NOTIF_DATA_DIR to a folder that Notif may write to',
      error,
    );
  }
}

async function upToDate(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The folder of the database's files. It gets its name when it is complete: a first start that is cut off is begun anew by the next. */
async function initialised(dataDir: string): Promise<string> {
  const files = join(dataDir, 'postgres');
  if (existsSync(files)) return files;
  const unfinished = `${files}-unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await makeEmptyDatabase(unfinished);
  await rename(unfinished, files);
  return files;
}

function databaseOn(pglite: PGlite, lock: FolderLock): Database {
  return {
    ...asking((text, values) => runOn(pglite, text, values)),
    withTransaction: (work) => pglite.transaction((transaction) => work(sqlIn(transaction))),
    executeSql: (text, values = []) => (values.length > 0 ? pglite.query(text, [...values]) : runScript(pglite, text)),
    vacuum: (signal) => vacuum(pglite, signal),
    isOpen: () => pglite.ready && !pglite.closed,
    close: async () => {
      if (pglite.closed) return;
      await pglite.close();
      await lock.release();
    },
  };
}

function sqlIn(transaction: Transaction): Sql {
  return {
    ...asking((text, values) => runOn(transaction, text, values)),
    script: async (text) => void (await transaction.exec(text)),
  };
}

async function runOn(on: Pick<PGlite, 'query'>, text: string, values: unknown[]): Promise<Answer> {
  const { rows, affectedRows } = await on.query(text, values);
  return { rows, affected: affectedRows ?? 0 };
}

/**
 * A script may hold transaction statements of its own, and there is only one connection: run inside a transaction, a script that
 * fails leaves nothing behind, and neighbours wait instead of having their work rolled back.
 */
async function runScript(pglite: PGlite, text: string): Promise<{ rows: unknown[] }> {
  const answers = await pglite.transaction((transaction) => transaction.exec(text));
  return { rows: answers.at(-1)?.rows ?? [] };
}

const TableRow = z.object({ name: z.string() });

/** Nothing runs in its background, so neither does autovacuum. Table by table, so that others get their turn in between. */
async function vacuum(pglite: PGlite, signal?: AbortSignal): Promise<void> {
  const { rows } = await pglite.query("SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables");
  for (const { name } of rows.map((row) => TableRow.parse(row))) {
    if (signal?.aborted === true) return;
    await pglite.exec(`VACUUM ANALYZE ${name}`);
  }
}
