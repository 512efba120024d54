import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { silent } from '../../src/lib/logger.testing.ts';
import { openDb } from '../../src/store/open.ts';
import { keptFolder, withTables } from './kept-folder.ts';

/**
 * The data folder of an embedded database with all tables, to copy: making one takes seconds and 900 MB, opening a copy a quarter of a
 * second.
 */
export function pgliteWithTables(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return keptFolder(withTables('pglite'), join(entry, '../../package.json'), async (folder) => {
    await (await openDb({ kind: 'embedded', folder }, { logger: silent })).close();
  });
}

/**
 * Compiles PGlite. V8 compiles the same WebAssembly once for all threads of a process as long as one of them holds on to it. A run's tests
 * open one embedded database after another, each in its own thread. If the caller keeps the result, only the first one compiles PGlite, and
 * the others open with half the CPU time.
 */
export async function compilePglite(): Promise<unknown> {
  const installed = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(dirname(installed), 'pglite.wasm')));
}

/** Node's types declare it only as a type. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };

export async function makeTemplate(server: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  // Checking a password takes a sixth of a connection otherwise.
  await client.query(`SET scram_iterations = 1; ALTER ROLE notif PASSWORD '${client.password}'`);
  await client.end();
  const store = await openDb({ kind: 'server', url: server.replace(/[^/]*$/, name) }, { logger: silent });
  await store.close();
}
