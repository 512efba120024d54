import { mkdir, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import type { Logger } from '../../domain/logger.ts';
import { systemCode } from '../../domain/text/system-code.ts';
import { BOUNDS } from './bounds.ts';
import { needsDatabase } from './data-folder.ts';
import type { Database } from './database.ts';
import { OWNER_ALONE } from './embedded/owner-alone.ts';
import { type DatabaseThread, startThread } from './embedded/thread.ts';
import { DataFolderUnusableError, type EmbeddedDatabaseEndedError } from './errors.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { migrate } from './migrate.ts';
import { databaseOn } from './pool.ts';

export interface EmbeddedDatabase extends Database {
  /** Resolves with the reason if the thread ends without being asked to. */
  readonly died: Promise<EmbeddedDatabaseEndedError>;
  /** Whether this opening made it. */
  readonly isNew: boolean;
}

interface EmbeddedOptions {
  readonly start?: () => DatabaseThread;
  /** How long a statement can take, including its wait. Milliseconds. */
  readonly statementMs?: number;
}

/**
 * Opens the embedded PostgreSQL (PGlite) in its own thread, with its files in `folder`, which is created if missing and locked until
 * `close`. Makes a database only in an empty folder. Throws `DataFolderLockedError` and `DataFolderUnusableError`. If the thread dies, all requests reject with
 * `EmbeddedDatabaseEndedError` and the database counts as closed. A request not answered in time rejects with `StoreTroubleError`.
 */
export async function openEmbedded(
  folder: string,
  { start = startThread, statementMs = BOUNDS.statementMs }: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const dataDir = resolve(folder);
  await makeFolder(dataDir);
  const lock = await lockFolder(dataDir);
  const thread = start();
  try {
    const isNew = await needsDatabase(dataDir);
    await thread.open(dataDir);
    // A migration can take long.
    const unhurried = openPool(thread, Number.POSITIVE_INFINITY);
    await migrate(unhurried);
    await unhurried.close();
    return { ...embedded(openPool(thread, statementMs), thread, lock), died: thread.died, isNew };
  } catch (error) {
    await thread.end();
    await lock.release();
    if (error instanceof DataFolderUnusableError) throw error;
    if (saysFull(error)) {
      throw new DataFolderUnusableError(
        dataDir,
        'could not be opened: its disk is full',
        'free up at least 64 MB there, then start Notif again: what was recorded is not lost',
        error,
      );
    }
    throw new DataFolderUnusableError(
      dataDir,
      'could not be opened as a database',
      'restore it from a backup, or move it away: Notif then starts fresh and reads the last hour again',
      error,
    );
  }
}

/** The words are PostgreSQL's or the system's, of an error or of one of its causes. */
function saysFull(error: unknown): boolean {
  return error instanceof Error && (/no space left on device|ENOSPC/i.test(error.message) || saysFull(error.cause));
}

async function makeFolder(dataDir: string): Promise<void> {
  try {
    await makeWithParents(dataDir);
  } catch (error) {
    throw new DataFolderUnusableError(
      dataDir,
      "can't be made",
      'set NOTIF_DATA_DIR to a folder that Notif may write to',
      error,
    );
  }
}

/** Node's own `recursive` never ends in a folder that can't have others in it, such as `/proc`. */
async function makeWithParents(folder: string): Promise<void> {
  const parent = dirname(folder);
  try {
    await makeOnce(folder);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || parent === folder) throw error;
    await makeWithParents(parent);
    await makeOnce(folder);
  }
}

async function makeOnce(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: OWNER_ALONE });
  } catch (error) {
    const there = await stat(folder).catch(() => null);
    if (there?.isDirectory() !== true) throw error;
  }
}

/** Statements wait for each other, for as long as one can take. */
function openPool(thread: DatabaseThread, statementMs: number): Database {
  const config: pg.PoolConfig = {
    ...{ user: 'postgres', database: 'postgres', max: 1, idleTimeoutMillis: 0 },
    // It is a socket as far as the driver uses it.
    stream: () => thread.connect() as Socket,
    ...(Number.isFinite(statementMs) && { query_timeout: statementMs, connectionTimeoutMillis: statementMs }),
  };
  return databaseOn(new pg.Pool(config), SILENT);
}

function embedded(database: Database, thread: DatabaseThread, lock: FolderLock): Database {
  let closed: Promise<void> | undefined;
  return {
    ...database,
    vacuum: (signal) => vacuum(database, signal),
    isOpen: () => closed === undefined && thread.isRunning(),
    close: () => {
      closed ??= close(database, thread, lock);
      return closed;
    },
  };
}

/** One connection has no deadlocks, and it is lost only with the thread, which `died` reports. */
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

const TableRow = z.object({ name: z.string() });

/** PGlite has no background processes, so no autovacuum. Vacuums table by table so that others get a turn in between. */
async function vacuum(sql: Database, signal?: AbortSignal): Promise<void> {
  const tables = await sql.rows(
    TableRow,
    "SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables",
  );
  for (const { name } of tables) {
    if (signal?.aborted === true) return;
    await sql.write(`VACUUM ANALYZE ${name}`);
  }
}

/** Earlier requests are answered first. The folder is free only when no thread has its files open. */
async function close(database: Database, thread: DatabaseThread, lock: FolderLock): Promise<void> {
  try {
    await database.close();
    if (thread.isRunning()) await thread.close();
  } finally {
    await thread.end();
    await lock.release();
  }
}
