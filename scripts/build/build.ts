import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';

export interface Build {
  /** Where the result belongs. */
  readonly folder: string;
  /** Where it's made, on the same file system; what an interrupted build leaves there harms nothing. */
  readonly workFolder: string;
  /** Of all that the result depends on. */
  readonly fingerprint: string;
  /** Writes the result into an empty folder. */
  make(folder: string): Promise<void>;
}

/** Says from what the folder it is in was made. */
const MARK = '.built-from';

/**
 * Makes a folder unless it is up to date. It's made elsewhere and moved to its place when it is complete, so that a process which runs
 * from the folder, or another build, never meets half of one.
 */
export async function build({ folder, workFolder, fingerprint, make }: Build): Promise<'kept' | 'built'> {
  if (await isFrom(folder, fingerprint)) return 'kept';
  await mkdir(workFolder, { recursive: true });
  const made = await mkdtemp(join(workFolder, 'build-'));
  try {
    await make(made);
    await writeFile(join(made, MARK), fingerprint);
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

async function isFrom(folder: string, fingerprint: string): Promise<boolean> {
  const mark = await readFile(join(folder, MARK), 'utf8').catch(nullWhereMissing);
  return mark === fingerprint;
}

/** False where another build has put the same there meanwhile. Needs the lock: two at once could take each other's result away. */
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
