import { resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import PQueue from 'p-queue';
import { z } from 'zod';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';
import { initialized, makeFolder, needsDatabase } from './data-folder.ts';
import { type Connect, dbOn, type Query } from './db.ts';
import { StoreUnusableError, statementError } from './errors.ts';
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
 * database only in an empty folder. Throws `StoreUnusableError`. `onLost`: it has
 * ended by itself, and only a new process helps.
 */
export async function openEmbedded(
  folder: string,
  logger: Logger,
  onLost: (reason: Error) => void = () => {},
): Promise<Opened> {
  const dataDir = resolve(folder);
  await makeFolder(dataDir);
  const lock = await lockFolder(dataDir);
  let files: WatchedFiles | undefined;
  let opened: Opened | undefined;
  try {
    const isNew = await needsDatabase(dataDir);
    files = new WatchedFiles(await initialized(dataDir));
    const pglite = await PGlite.create({ fs: files, startParams: START_PARAMETERS });
    opened = openedOn(pglite, files, lock);
    await migrate(dbOn(opened.connect, { logger }));
    files.onLost = onLost;
    if (isNew) logger.info({ folder }, `New database made in ${folder}`);
    return opened;
  } catch (error) {
    await (opened?.close() ?? lock.release());
    if (error instanceof StoreUnusableError) throw error;
    throw unusable(dataDir, files === undefined ? error : new Error(files.lastWords, { cause: error }));
  }
}

/**
 * PGlite's own settings are for a server with a hundred clients: it zeroes 145 MB of shared memory, while one connection needs 20. What
 * these buffers don't hold is still in the system's file cache. Counting for the planner blocks the process: a small sample is enough.
 */
const SETTINGS = [
  ...['shared_buffers=16MB', 'max_connections=5', 'max_wal_senders=0', 'random_page_cost=1.1'],
  'default_statistics_target=20',
];
const START_PARAMETERS = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])];

/** Statements between two looks at how much log there is. */
const LOOK_EVERY = 200;

function openedOn(pglite: PGlite, files: WatchedFiles, lock: FolderLock): Opened {
  const turns = new PQueue({ concurrency: 1 });
  let statements = 0;
  let closing: Promise<void> | undefined;

  const query: Query = async (text, values = [], rowMode = 'object') => {
    if (files.isLost) throw new StoreTroubleError('not-answering', new Error(files.lastWords));
    try {
      const { rows, affectedRows = 0 } = await pglite.query(text, [...values], { rowMode });
      return { rows, affected: affectedRows };
    } catch (error) {
      throw statementError(error);
    }
  };

  const connect: Connect = async (use) => {
    if (closing !== undefined) throw new StoreTroubleError('not-answering', new Error('the database is closed'));
    return turns.add(async () => {
      try {
        const result = await use(query);
        statements += 1;
        if (statements % LOOK_EVERY === 0) await checkpointIfBehind(query);
        return result;
      } catch (error) {
        if (!files.isLost) await query('ROLLBACK');
        throw error;
      }
    });
  };

  /** The folder is free only when nobody has its files open. What is left of PGlite after a panic spins. */
  const close = async (): Promise<void> => {
    await turns.onIdle();
    if (!files.isLost) await pglite.close();
    await lock.release();
  };

  return {
    connect,
    vacuum: (signal) => vacuum(connect, signal),
    close: () => {
      closing ??= close();
      return closing;
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
  if (BehindRow.parse((await query(BEHIND)).rows[0]).bytes > mostBytes) await query('CHECKPOINT');
}

const TableRow = z.object({ name: z.string() });
const TABLES = "SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables";

/** PGlite has no background processes, so no autovacuum. Goes table by table so that others get a turn in between. */
async function vacuum(connect: Connect, signal?: AbortSignal): Promise<void> {
  for (const row of (await connect((query) => query(TABLES))).rows) {
    if (signal?.aborted === true) return;
    await connect((query) => query(`VACUUM ANALYZE ${TableRow.parse(row).name}`));
  }
}

/** PostgreSQL's last error, which has the reason and no values. */
const PANIC = /\b(?:PANIC|FATAL): .*/;

/**
 * The database's files in a folder. If PostgreSQL can't write its log (no space, a read-only disk) it panics, but PGlite continues with
 * what is left of it: the statement after that would spin.
 */
class WatchedFiles extends NodeFS {
  isLost = false;
  onLost: (reason: Error) => void = () => {};
  /** Why PostgreSQL ended. PGlite's own errors don't say it. */
  lastWords = 'PostgreSQL gave no reason';

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    const printErr = (line: string): void => {
      this.lastWords = PANIC.exec(line)?.[0] ?? this.lastWords;
      emscriptenOpts.printErr?.(line);
    };
    const onAbort = (): void => {
      this.isLost = true;
      this.onLost(new Error(`the embedded database has ended: ${this.lastWords}`));
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr, onAbort } };
  }
}

function unusable(dataDir: string, error: unknown): StoreUnusableError {
  const [what, next] = saysFull(error)
    ? ['its disk is full', 'free up at least 64 MB there, then start Notif again: what was recorded is not lost']
    : [
        "its files aren't readable as a database",
        'restore it from a backup, or move it away: Notif then starts fresh and reads the last hour again',
      ];
  return new StoreUnusableError(`the data folder ${dataDir} could not be opened: ${what}`, next, error);
}

/** The words are PostgreSQL's or the system's, of an error or of one of its causes. */
function saysFull(error: unknown): boolean {
  return error instanceof Error && (/no space left on device|ENOSPC/i.test(error.message) || saysFull(error.cause));
}
