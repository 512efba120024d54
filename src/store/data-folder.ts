import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolderUnusableError } from './errors.ts';

/** What Notif leaves in its data folder beside the database, and what a new volume has of its own. */
const NOT_DATA: ReadonlySet<string> = new Set(['lock.sock', 'starting.lock', 'postgres-unfinished', 'lost+found']);

/**
 * Returns whether a locked data folder has no database yet. Throws `DataFolderUnusableError` unless it is empty or has Notif's database:
 * a new database over files that were only moved or damaged would hide them, and what is in it would be missed.
 */
export async function needsDatabase(dataDir: string): Promise<boolean> {
  if (existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return false;
  const others = (await readdir(dataDir)).filter((name) => !NOT_DATA.has(name));
  if (others.length === 0) return true;
  throw new DataFolderUnusableError(
    dataDir,
    others.includes('postgres')
      ? "has database files that aren't complete: postgres/PG_VERSION is missing"
      : "has files in it that aren't Notif's",
    'restore it from a backup, or set NOTIF_DATA_DIR to an empty folder: Notif then starts fresh and reads the last hour again',
  );
}
