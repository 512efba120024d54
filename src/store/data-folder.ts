import { once } from 'node:events';
import { cpSync, existsSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import lockfile from 'proper-lockfile';
import { systemCode } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { StoreUnusableError, unusable } from './errors.ts';

const USE_ANOTHER = 'stop it, set NOTIF_DATA_DIR to another folder, or set DATABASE_URL to run several replicas';
const USE_WRITABLE = 'set NOTIF_DATA_DIR to a local folder with a short path that Notif may write to';
export const START_FRESH =
  'restore it from a backup, or set NOTIF_DATA_DIR to an empty folder: Notif then starts fresh and reads the last hour again';

const OWNER_ALONE = 0o700;
/** macOS's limit; Node silently cuts a longer path. */
const LONGEST_SOCKET_PATH = 103;

/** Files of the folder that say nothing of a database. */
const NOT_DATA = ['lock.sock', 'starting.lock', 'secret', 'postgres-unfinished', 'lost+found'];

const MOVED = 'moved-to-a-server';

/** File systems without permissions answer so. EPERM is also the answer to a user to whom the files don't belong. */
const NO_PERMISSIONS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Made at build time, with all tables: initializing a database takes 3 s and 900 MB. */
const PREBUILT = fileURLToPath(new URL('./empty-database', import.meta.url));

/** The lock is a socket: it dies with its process, and answers even if that is busy. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock.sock');
  try {
    if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) throw new Error('its path is too long for a socket in it');
    await mkdir(folder, { recursive: true, mode: OWNER_ALONE });
    // Three seconds: another process holds this lock only while it looks, and what died with it is stale after two.
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

async function somebodyListens(path: string): Promise<boolean> {
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

/** Throws if the files are another user's, as they aren't missing. */
export function hasDatabase(dataDir: string): boolean {
  return statSync(join(dataDir, 'postgres/PG_VERSION'), { throwIfNoEntry: false }) !== undefined;
}

/** A Notif started with the folder would alert beside the one with the server. */
export async function markMoved(dataDir: string): Promise<void> {
  const text = 'Its data is in the database of DATABASE_URL: docs/runbook.md, "Move to a server".\n';
  await writeFile(join(dataDir, MOVED), text);
}

/** Returns where the files of the folder's database are, which is made if there is none. */
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

/** PGlite lets everybody write to its files. */
async function closeToOthers(files: string, logger: Logger): Promise<void> {
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

async function makeEmptyDatabase(folder: string): Promise<void> {
  if (existsSync(PREBUILT)) return cpSync(PREBUILT, folder, { recursive: true });
  const pglite = await PGlite.create(folder);
  // Templates are a third of the files, and each file costs a millisecond.
  await pglite.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
  for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`);
  await pglite.close();
}
