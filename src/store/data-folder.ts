import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeEmptyDatabase } from './empty-database.ts';
import { StoreUnusableError } from './errors.ts';

const OWNER_ALONE = 0o700;

export async function makeFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: OWNER_ALONE });
  } catch (error) {
    const next = 'set NOTIF_DATA_DIR to a folder that Notif may write to';
    throw new StoreUnusableError(`the data folder ${dataDir} can't be made`, next, error);
  }
}

/** What Notif leaves in its data folder beside the database, and what a new volume has. */
const NOT_DATA: ReadonlySet<string> = new Set(['lock.sock', 'starting.lock', 'postgres-unfinished', 'lost+found']);

/**
 * Returns whether a locked data folder has no database yet. Throws `StoreUnusableError` unless it is empty or has Notif's database:
 * a new database over files that were only moved or damaged would hide them.
 */
export async function needsDatabase(dataDir: string): Promise<boolean> {
  if (existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return false;
  const others = (await readdir(dataDir)).filter((name) => !NOT_DATA.has(name));
  if (others.length === 0) return true;
  const problem = others.includes('postgres')
    ? "has database files that aren't complete: postgres/PG_VERSION is missing"
    : "has files in it that aren't Notif's";
  throw new StoreUnusableError(
    `the data folder ${dataDir} ${problem}`,
    'restore it from a backup, or set NOTIF_DATA_DIR to an empty folder: Notif then starts fresh and reads the last hour again',
  );
}

/** Returns the folder of the database's files. It gets its name when it's complete, so an interrupted first start is repeated. */
export async function initialized(dataDir: string): Promise<string> {
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
