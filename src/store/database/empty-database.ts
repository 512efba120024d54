import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { copyFolder } from './copy-folder.ts';

/**
 * A database with all tables, made at build time beside the compiled code. Copying it takes half a second. Initializing one, as happens
 * when running from source, takes 3 s and 900 MB, more memory than many containers have.
 */
const MADE_BEFORE = new URL('./empty-database', import.meta.url);

/**
 * Makes the files of an empty database in a folder that is empty or doesn't exist yet: copies the prepared one if it exists, otherwise
 * initializes a database.
 */
export async function makeEmptyDatabase(folder: string, madeBefore: URL = MADE_BEFORE): Promise<void> {
  const files = fileURLToPath(madeBefore);
  if (existsSync(files)) copyFolder(files, folder);
  else await initialize(folder);
}

/**
 * Initializes a database and removes the templates from which PostgreSQL creates others: two thirds of the files, not needed here, and each
 * file costs a millisecond.
 */
async function initialize(folder: string): Promise<void> {
  const pglite = await PGlite.create(folder);
  await pglite.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
  for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`);
  await pglite.close();
}
