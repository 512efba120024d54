import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';

export interface Build {
  folder: string;
  /** The folder in which the result is made, on the same file system. What an interrupted build leaves there does no harm. */
  workFolder: string;
  fingerprint: string;
  make(folder: string): Promise<void>;
}

/** The file that records from what its folder was made. */
const MARK = '.built-from';

/**
 * Builds a folder unless it's up to date. It's made elsewhere and moved into place when it's complete, so that a process running from it,
 * or another build, never sees an incomplete one.
 */
export async function build({ folder, workFolder, fingerprint, make }: Build): Promise<'kept' | 'built'> {
  if (await isFrom(folder, fingerprint)) return 'kept';
  await mkdir(workFolder, { recursive: true });
  const made = await mkdtemp(join(workFolder, 'build-'));
  try {
    await make(made);
    await writeFile(join(made, MARK), fingerprint);
    await letOthersRead(made);
    const unlock = await lock(workFolder, { retries: { retries: 50, minTimeout: 20, maxTimeout: 100 } });
    try {
      return (await putInPlace(made, folder, fingerprint)) ? 'built' : 'kept';
    } finally {
      await unlock();
    }
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Notif may run as another user than built it: a temporary folder is its owner's alone. */
async function letOthersRead(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}

async function isFrom(folder: string, fingerprint: string): Promise<boolean> {
  const mark = await readFile(join(folder, MARK), 'utf8').catch(nullWhereMissing);
  return mark === fingerprint;
}

/** Returns false if another build has meanwhile put the same there. Requires the lock: two at once could remove each other's result. */
async function putInPlace(made: string, folder: string, fingerprint: string): Promise<boolean> {
  if (await isFrom(folder, fingerprint)) return false;
  const replaced = `${made}-replaced`;
  await rename(folder, replaced).catch(nullWhereMissing);
  await rename(made, folder);
  await rm(replaced, { recursive: true, force: true });
  return true;
}

function nullWhereMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
