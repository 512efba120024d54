import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PGlite, type Results } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import PQueue from 'p-queue';
import { z } from 'zod';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';
import { needsDatabase } from './data-folder.ts';
import { type Connect, dbOn, type Query } from './db.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { DataFolderUnusableError, OtherVersionError, statementError } from './errors.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { migrate } from './migrate.ts';
import { Count } from './row.ts';

/** What a store needs of a database, wherever it is. */
export interface Opened {
  readonly connect: Connect;
  /** Reclaims the space of deleted rows, and counts for the planner, where the database doesn't do so by itself. */
  vacuum(signal?: AbortSignal): Promise<void>;
  /** Waits for running statements. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL in this process (PGlite), with its files in `folder`, which is created if missing and locked until `close`. Makes a
 * database only in an empty folder. Throws `DataFolderLockedError` and `DataFolderUnusableError`. `onLost`: it has ended by itself, and
 * only a new process helps.
 */
export async function openEmbedded(
  folder: string,
  logger: Logger,
  onLost: (reason: Error) => void = () => {},
): Promise<Opened & { readonly isNew: boolean }> {
  const dataDir = resolve(folder);
  await makeFolder(dataDir);
  const lock = await lockFolder(dataDir);
  let files: WatchedFiles | undefined;
  let opened: Opened | undefined;
  try {
    const isNew = await needsDatabase(dataDir);
    files = new WatchedFiles(await initialised(dataDir));
    const pglite = await PGlite.create({ fs: files, startParams: START_PARAMETERS });
    opened = openedOn(pglite, files, lock);
    await migrate(dbOn(opened.connect, { logger }));
    files.onLost = onLost;
    return { ...opened, isNew };
  } catch (error) {
    await (opened?.close() ?? lock.release());
    if (error instanceof DataFolderUnusableError || error instanceof OtherVersionError) throw error;
    throw unusable(dataDir, files === undefined ? error : new Error(files.lastWords, { cause: error }));
  }
}

/**
 * PGlite's own settings are for a server with a hundred clients: it zeroes 145 MB of shared memory, while one connection needs 20. What
 * these buffers don't hold is still in the system's file cache.
 */
const SETTINGS = [
  ...['shared_buffers=16MB', 'max_connections=5', 'max_wal_senders=0', 'random_page_cost=1.1'],
  // Counting for the planner blocks the process: a fifth of the usual sample is enough.
  'default_statistics_target=20',
];
const START_PARAMETERS = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])];

/** Statements between two looks at how much log there is. */
const LOOK_EVERY = 200;

function openedOn(pglite: PGlite, files: WatchedFiles, lock: FolderLock): Opened {
  const turns = new PQueue({ concurrency: 1 });
  let statements = 0;
  let closed: Promise<void> | undefined;

  const query: Query = async ({ text, values, rowMode }) => {
    if (files.isLost) throw new StoreTroubleError('not-answering', new Error(files.lastWords));
    try {
      const { rows, affectedRows = 0 }: Results<unknown> = await pglite.query(text, values, { rowMode });
      return { rows, affected: affectedRows };
    } catch (error) {
      throw statementError(error);
    }
  };
  const plain = (text: string) => query({ text, values: [], rowMode: 'object', isFixed: false });

  const connect: Connect = async (use) => {
    if (closed !== undefined) throw new StoreTroubleError('not-answering', new Error('the database is closed'));
    return turns.add(async () => {
      try {
        const result = await use(query);
        statements += 1;
        if (statements % LOOK_EVERY === 0) await checkpointIfBehind(query);
        return result;
      } catch (error) {
        if (!files.isLost) await plain('ROLLBACK');
        throw error;
      }
    });
  };

  /** The folder is free only when nobody has its files open. */
  const close = async (): Promise<void> => {
    await turns.onIdle();
    // What is left of it after a panic spins.
    if (!files.isLost) await pglite.close();
    await lock.release();
  };

  return {
    connect,
    vacuum: (signal) => vacuum(connect, signal),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

const BehindRow = z.object({ bytes: Count });
const BEHIND = 'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) AS bytes FROM pg_control_checkpoint()';
const MOST_LOG_BYTES = 64 * 2 ** 20;

/**
 * Makes a checkpoint like a server's background process does; PGlite makes none before it is closed. Without this its log would grow while
 * it is open, and after a kill all of it would be replayed. A checkpoint of this many bytes takes some tens of milliseconds.
 */
export async function checkpointIfBehind(query: Query, mostBytes = MOST_LOG_BYTES): Promise<void> {
  const plain = (text: string) => query({ text, values: [], rowMode: 'object', isFixed: false });
  if (BehindRow.parse((await plain(BEHIND)).rows[0]).bytes > mostBytes) await plain('CHECKPOINT');
}

const TableRow = z.object({ name: z.string() });
const TABLES = "SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables";

/** PGlite has no background processes, so no autovacuum. Goes table by table so that others get a turn in between. */
async function vacuum(connect: Connect, signal?: AbortSignal): Promise<void> {
  const plain = (text: string) => connect((query) => query({ text, values: [], rowMode: 'object', isFixed: false }));
  for (const row of (await plain(TABLES)).rows) {
    if (signal?.aborted === true) return;
    await plain(`VACUUM ANALYZE ${TableRow.parse(row).name}`);
  }
}

/** PostgreSQL's last error, which has the reason and no values. */
const PANIC = /\b(?:PANIC|FATAL): .*/;

/**
 * The database's files in a folder. If PostgreSQL can't write its log (no space, a read-only disk) it panics, but PGlite continues with
 * what is left of it: the statement after that would spin.
 */
class WatchedFiles extends NodeFS {
  #lastWords: string | null = null;
  isLost = false;
  onLost: (reason: Error) => void = () => {};

  /** Why PostgreSQL ended, in its words. PGlite's own errors don't have them. */
  get lastWords(): string {
    return this.#lastWords ?? 'PostgreSQL gave no reason';
  }

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    const printErr = (line: string): void => {
      this.#lastWords = PANIC.exec(line)?.[0] ?? this.#lastWords;
      emscriptenOpts.printErr?.(line);
    };
    const onAbort = (): void => {
      this.isLost = true;
      this.onLost(new Error(`the embedded database has ended: ${this.lastWords}`));
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr, onAbort } };
  }
}

/** Only the owner may enter. */
const OWNER_ALONE = 0o700;

/** Returns the folder of the database's files. It gets its name when it's complete, so an interrupted first start is repeated. */
async function initialised(dataDir: string): Promise<string> {
  const files = join(dataDir, 'postgres');
  if (!existsSync(files)) {
    const unfinished = `${files}-unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: OWNER_ALONE });
    await makeEmptyDatabase(unfinished);
    await rename(unfinished, files);
  }
  // PGlite lets everybody write to its files. A file system without permissions, or another owner's folder, keeps those it has.
  await chmod(files, OWNER_ALONE).catch(() => {});
  return files;
}

function unusable(dataDir: string, error: unknown): DataFolderUnusableError {
  if (saysFull(error)) {
    return new DataFolderUnusableError(
      dataDir,
      'could not be opened: its disk is full',
      'free up at least 64 MB there, then start Notif again: what was recorded is not lost',
      error,
    );
  }
  return new DataFolderUnusableError(
    dataDir,
    'could not be opened as a database',
    'restore it from a backup, or move it away: Notif then starts fresh and reads the last hour again',
    error,
  );
}

/** The words are PostgreSQL's or the system's, of an error or of one of its causes. */
function saysFull(error: unknown): boolean {
  return error instanceof Error && (/no space left on device|ENOSPC/i.test(error.message) || saysFull(error.cause));
}

async function makeFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: OWNER_ALONE });
  } catch (error) {
    const next = 'set NOTIF_DATA_DIR to a folder that Notif may write to';
    throw new DataFolderUnusableError(dataDir, "can't be made", next, error);
  }
}
