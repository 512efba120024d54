import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { silent } from '../../src/lib/logger.testing.ts';
import { openDb } from '../../src/store/open.ts';
import { keptFolder, withTables } from './kept-folder.ts';

/** The package's main file, in its folder `dist`. */
const ENTRY = createRequire(import.meta.url).resolve('@electric-sql/pglite');

/**
 * The data folder of an embedded database with all tables, to copy: making one takes seconds and 900 MB, opening a copy a quarter of a
 * second. It is made once for each version of PGlite and of the migrations.
 */
export function pgliteWithTables(): Promise<string> {
  return keptFolder(withTables('pglite'), join(ENTRY, '../../package.json'), async (folder) => {
    await (await openDb({ kind: 'embedded', folder }, { logger: silent })).close();
  });
}

/**
 * Compiles PGlite. V8 compiles the same WebAssembly once for all threads of a process as long as one of them holds on to it. A run's tests
 * open one embedded database after another, each in its own thread. If the caller keeps the result, only the first one compiles PGlite, and
 * the others open with half the CPU time.
 */
export async function compilePglite(): Promise<unknown> {
  return WebAssembly.compile(await readFile(join(dirname(ENTRY), 'pglite.wasm')));
}

/** Node's types declare it only as a type. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };
