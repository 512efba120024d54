import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/**
 * An initialized database, packed at build time beside the compiled code. To unpack it takes 1 s and 380 MB; to initialize one again,
 * as the sources do, which have no archive, takes 3 s and 900 MB: more than many a container has.
 */
const ARCHIVE = new URL('./empty-database.tgz', import.meta.url);

/** Makes the files of an empty database in a folder that does not exist yet: from the archive where there is one, else again. */
export async function makeEmptyDatabase(folder: string, archive: URL = ARCHIVE): Promise<void> {
  const packed = existsSync(archive) ? { loadDataDir: new Blob([await readFile(archive)]) } : {};
  const pglite = await PGlite.create(folder, packed);
  await pglite.close();
}

/** Packs the archive, as `npm run build` does; one that is younger than the installed PGlite is kept. */
export async function packEmptyDatabase(archive: URL = ARCHIVE): Promise<void> {
  if (await isUpToDate(archive)) return;
  const folder = await mkdtemp(join(tmpdir(), 'notif-empty-database-'));
  try {
    const pglite = await PGlite.create(join(folder, 'postgres'));
    const packed = await pglite.dumpDataDir('gzip');
    await pglite.close();
    await writeFile(archive, new Uint8Array(await packed.arrayBuffer()));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** npm gives files the time of their packing; when they came here is the time of their last change of status. */
async function isUpToDate(archive: URL): Promise<boolean> {
  if (!existsSync(archive)) return false;
  const installed = await stat(new URL(import.meta.resolve('@electric-sql/pglite')));
  return (await stat(archive)).mtimeMs > installed.ctimeMs;
}
