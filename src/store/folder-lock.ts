import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { systemCode } from '../lib/text/system-code.ts';
import { StoreUnusableError } from './errors.ts';

export interface FolderLock {
  release(): Promise<void>;
}

/** The shortest limit of a Unix socket's path across systems, macOS's. Node silently cuts a longer one. */
const LONGEST_SOCKET_PATH = 103;

/**
 * Locks a folder for this process until it releases it or dies. The lock is a socket that listens in the folder: unlike a pid file it dies
 * with its process, and unlike a lock file's timestamp it answers for a process that is merely busy. A lock file is held only while
 * checking whether somebody listens, so that only one of several starting processes gets the lock. Throws `StoreUnusableError`.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock.sock');
  if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) {
    const most = LONGEST_SOCKET_PATH - '/lock.sock'.length;
    const next = `set NOTIF_DATA_DIR to a path of at most ${most} bytes`;
    throw new StoreUnusableError(`the data folder ${folder} has too long a path for its lock`, next);
  }
  let endLook: (() => Promise<void>) | undefined;
  try {
    endLook = await beginLook(folder);
    if (await somebodyListens(path)) throw isUsed(folder);
    await unlink(path).catch(unlessMissing);
    const server = await listen(path);
    return { release: () => new Promise((resolve) => server.close(() => resolve())) };
  } catch (error) {
    if (error instanceof StoreUnusableError) throw error;
    const next = 'start Notif as the user who owns the folder, and keep it on a local disk';
    throw new StoreUnusableError(`the data folder ${folder} can't be locked`, next, error);
  } finally {
    await endLook?.();
  }
}

/** Waits for another starting process's look. That takes milliseconds; one older than two seconds is from a dead process. */
function beginLook(folder: string): Promise<() => Promise<void>> {
  const retries = { retries: 60, factor: 1, minTimeout: 50 };
  return lockfile.lock(folder, { lockfilePath: join(folder, 'starting.lock'), stale: 2_000, retries });
}

/** ENOENT: never locked, or released. ECONNREFUSED: left by a process that died. */
const NOBODY_LISTENS = new Set<string | null>(['ENOENT', 'ECONNREFUSED']);

/** Rejects if nobody can know: with EACCES, say, another user's process may listen. */
function somebodyListens(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => (NOBODY_LISTENS.has(systemCode(error)) ? resolve(false) : reject(error)));
  });
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => resolve(server.unref()));
  });
}

/** Two processes would corrupt it. */
function isUsed(folder: string): StoreUnusableError {
  return new StoreUnusableError(
    `another process uses the data folder ${folder}`,
    'stop that process, set NOTIF_DATA_DIR to another folder, or set DATABASE_URL to run several replicas',
  );
}

function unlessMissing(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}
