import { once } from 'node:events';
import { cpSync, existsSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PGlite, types } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import PQueue from 'p-queue';
import lockfile from 'proper-lockfile';
import { StoreTroubleError, systemCode } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { type Connect, type Engine, parseJson, type Query } from './db.ts';
import { StoreUnusableError, statementError, unusable } from './errors.ts';
import { migrate } from './migrate.ts';

const USE_ANOTHER = 'stop it, set NOTIF_DATA_DIR to another folder, or set DATABASE_URL to run several replicas';
const USE_WRITABLE = 'set NOTIF_DATA_DIR to a local folder with a short path that Notif may write to';
const START_FRESH =
  'restore it from a backup, or set NOTIF_DATA_DIR to an empty folder: Notif then starts fresh and reads the last hour again';

const OWNER_ALONE = 0o700;
/** macOS's limit; Node silently cuts a longer path. */
const LONGEST_SOCKET_PATH = 103;

/** The lock is a socket: it dies with its process, and answers even if that is busy. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock.sock');
  try {
    if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) throw new Error('its path is too long for a socket in it');
    await mkdir(folder, { recursive: true, mode: OWNER_ALONE });
    const retries = { retries: 60, factor: 1, minTimeout: 50 };
    const options = { lockfilePath: join(folder, 'starting.lock'), stale: 2_000, retries };
    const unlockStart = await lockfile.lock(folder, options);
    try {
      if (await somebodyListens(path))
        throw new StoreUnusableError(`another process uses the data folder ${folder}: ${USE_ANOTHER}`);
      await rm(path, { force: true });
      const server = createServer((socket) => socket.destroy()).listen(path);
      await once(server.unref(), 'listening');
      return () => new Promise((resolve) => server.close(() => resolve()));
    } finally {
      await unlockStart();
    }
  } catch (cause) {
    throw unusable(`the data folder ${folder} can't be made or locked: ${USE_WRITABLE}`, cause);
  }
}

async function somebodyListens(path: string) {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(systemCode(error) ?? '')) return false;
    throw error;
  } finally {
    socket.destroy();
  }
}

const NOT_DATA = ['lock.sock', 'starting.lock', 'secret', 'postgres-unfinished', 'lost+found'];

/** Throws if the files are another user's, as they aren't missing. */
export function hasDatabase(dataDir: string): boolean {
  return statSync(join(dataDir, 'postgres/PG_VERSION'), { throwIfNoEntry: false }) !== undefined;
}

const MOVED = 'moved-to-a-server';

/** A Notif started with the folder would alert beside the one with the server. */
export async function markMoved(dataDir: string): Promise<void> {
  const text = 'Its data is in the database of DATABASE_URL: docs/runbook.md, "Move to a server".\n';
  await writeFile(join(dataDir, MOVED), text);
}

export async function databaseIn(dataDir: string, logger: Logger, make = makeEmptyDatabase): Promise<string> {
  const files = join(dataDir, 'postgres');
  const next = `set DATABASE_URL, or delete ${MOVED} there to resume from before the move`;
  if (existsSync(join(dataDir, MOVED)))
    throw new StoreUnusableError(`the data of ${dataDir} was moved to a server: ${next}`);
  if (!hasDatabase(dataDir)) {
    // A new database would hide files that were only moved or damaged.
    if ((await readdir(dataDir)).some((name) => !NOT_DATA.includes(name)))
      throw new StoreUnusableError(`the data folder ${dataDir} has files, but no complete database: ${START_FRESH}`);
    const unfinished = `${files}-unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await make(unfinished);
    await rename(unfinished, files);
    logger.info({ dataDir }, 'New database made');
  }
  // PostgreSQL doesn't start with an empty one, which a power cut can leave.
  await rm(join(files, 'postmaster.pid'), { force: true });
  await closeToOthers(files, logger);
  return files;
}

/** File systems without permissions answer so. The first is also the answer to whom the files don't belong to. */
const NO_PERMISSIONS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** PGlite lets everybody write to its files. */
async function closeToOthers(files: string, logger: Logger) {
  try {
    await chmod(files, OWNER_ALONE);
  } catch (err) {
    const { uid } = await stat(files);
    if (!NO_PERMISSIONS.includes(systemCode(err) ?? '') || uid !== process.getuid?.()) throw err;
    logger.warn({ err, files }, 'File system of the data folder has no permissions: others can read the data');
  }
}

/** Nothing may write to the database meanwhile. */
export async function backUpFiles(dataDir: string): Promise<string> {
  const backup = join(dataDir, 'backup');
  const unfinished = `${backup}-unfinished`;
  const clear = () => rm(unfinished, { recursive: true, force: true });
  await clear();
  await cp(join(dataDir, 'postgres'), unfinished, { recursive: true }).catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  await rm(backup, { recursive: true, force: true });
  await rename(unfinished, backup);
  return backup;
}

/** Made at build time, with all tables: initializing a database takes 3 s and 900 MB. */
const PREBUILT = fileURLToPath(new URL('./empty-database', import.meta.url));

async function makeEmptyDatabase(folder: string) {
  if (existsSync(PREBUILT)) return cpSync(PREBUILT, folder, { recursive: true });
  const pglite = await PGlite.create(folder);
  // Templates are a third of the files, and each file costs a millisecond.
  await pglite.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
  for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`);
  await pglite.close();
}

export async function openEmbedded(folder: string, logger: Logger): Promise<Engine> {
  const dataDir = resolve(folder);
  const unlock = await lockFolder(dataDir);
  let files: WatchedFiles | undefined;
  let engine: Engine | undefined;
  try {
    files = new WatchedFiles(await databaseIn(dataDir, logger));
    const pglite = await PGlite.create({ fs: files, startParams: START_PARAMETERS });
    engine = engineOn(pglite, files, dataDir, unlock);
    await migrate(engine, logger);
    return engine;
  } catch (cause) {
    await (engine?.close() ?? unlock());
    const reason = files?.lastWords ?? String(cause);
    throw unusable(`the data folder ${dataDir} could not be opened (${reason}): ${remedyOf(reason)}`, cause);
  }
}

function remedyOf(reason: string): string {
  if (/no space left on device|ENOSPC|quota exceeded|EDQUOT/i.test(reason))
    return 'free up at least 64 MB there, then start Notif again: nothing that was recorded is lost';
  if (/permission denied|EACCES|EPERM/i.test(reason)) return 'give it to the user who runs Notif, with chown -R';
  return /read-only file system|EROFS/i.test(reason) ? 'mount it so that Notif can write to it' : START_FRESH;
}

/** PGlite's own settings are for a hundred clients: 145 MB of shared memory. */
const SETTINGS =
  'shared_buffers=16MB max_connections=5 max_wal_senders=0 random_page_cost=1.1 default_statistics_target=20';
const START_PARAMETERS = [...PGlite.defaultStartParams, ...SETTINGS.split(' ').flatMap((setting) => ['-c', setting])];

/** PGlite makes no checkpoint itself: its log would grow, and be replayed after a kill. */
const STATEMENTS_A_CHECKPOINT = 2_000;

const PARSERS = { [types.JSONB]: parseJson };

/** PGlite and the queue run in microtasks, before anything else of the process. */
const LONGEST_BLOCK_MS = 10;

function engineOn(pglite: PGlite, files: WatchedFiles, dataDir: string, unlock: () => Promise<void>): Engine {
  const turns = new PQueue({ concurrency: 1 });
  let statements = 0;
  let yieldedAt = 0;
  const lost = () => new StoreTroubleError('damaged', new Error(files.lastWords));

  const query: Query = async (text, values = [], rowMode = 'object') => {
    if (files.isLost) throw lost();
    try {
      const { rows, affectedRows = 0 } = await pglite.query(text, [...values], { rowMode, parsers: PARSERS });
      statements += 1;
      if (performance.now() - yieldedAt > LONGEST_BLOCK_MS) {
        await setImmediate();
        yieldedAt = performance.now();
      }
      return { rows, affected: affectedRows };
    } catch (error) {
      throw files.isLost ? lost() : statementError(error);
    }
  };

  const connect: Connect = (use) =>
    turns.add(async () => {
      try {
        const result = await use(query);
        if (statements > STATEMENTS_A_CHECKPOINT) {
          await query('CHECKPOINT');
          statements = 0;
        }
        return result;
      } catch (error) {
        if (!files.isLost) await query('ROLLBACK');
        throw error;
      }
    });

  return {
    connect,
    backUp: () =>
      connect(async (query) => {
        await query('CHECKPOINT');
        return backUpFiles(dataDir);
      }),
    async close() {
      await turns.onIdle();
      if (!files.isLost) await pglite.close();
      await unlock();
    },
  };
}

/** Such a line has no values of rows. */
const PANIC = /\b(?:PANIC|FATAL): .*/;

/** If PostgreSQL can't write its log it panics, and PGlite's next statement would spin. */
class WatchedFiles extends NodeFS {
  isLost = false;
  lastWords: string | undefined;

  override async init(...given: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(...given);
    const printErr = (line: string) => {
      this.lastWords = PANIC.exec(line)?.[0] ?? this.lastWords;
      emscriptenOpts.printErr?.(line);
    };
    const onAbort = () => {
      this.isLost = true;
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr, onAbort } };
  }
}
