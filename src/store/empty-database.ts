import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { copyFolder } from './copy-folder.ts';

/**
 * A database with all tables, made at build time beside the compiled code. Copying it takes half a second. Initializing one, as happens
 * when running from source, takes 3 s and 900 MB, more memory than many containers have.
 */
const MADE_BEFORE = new URL('./empty-database', import.meta.url);

/** Makes the files of an empty database in an empty or missing folder: copies the prepared one if there is one, else initializes one. */
export async function makeEmptyDatabase(folder: string, madeBefore: URL = MADE_BEFORE): Promise<void> {
  const files = fileURLToPath(madeBefore);
  if (existsSync(files)) copyFolder(files, folder);
  else await initialize(folder);
}

/** Initializes a database without the templates for more: two thirds of the files, not needed here, and each costs a millisecond. */
async function initialize(folder: string): Promise<void> {
  const pglite = await PGlite.create(folder);
  await pglite.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
  for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`);
  await pglite.close();
}
