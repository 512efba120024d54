import { cpSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { silent } from '../../src/lib/logger.testing.ts';
import { makeEmptyDatabase } from '../../src/store/data-folder.ts';
import { openDb } from '../../src/store/open.ts';
import { keptFolder } from './kept-folder.ts';

/** The folder of an initialized database to copy: initializing takes seconds and 900 MB, opening a copy a quarter of a second. */
export function pgliteFolder(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return keptFolder('pglite-alone', join(entry, '../../package.json'), makeEmptyDatabase);
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

/**
 * Creates a database that has all tables. Creating them takes as long as opening the database, so a bot that finds them starts in half the
 * time.
 */
export async function makeTables(initialised: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-tables-'));
  const folder = join(dataDir, 'postgres');
  cpSync(initialised, folder, { recursive: true });
  await (await openDb({ kind: 'embedded', folder: dataDir }, { logger: silent })).close();
  return folder;
}

/** Creates a database on the server that others are copied from, with all tables. Returns its name. */
export async function makeTemplate(server: string): Promise<string> {
  const name = 'notif_template';
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const store = await openDb({ kind: 'server', url: server.replace(/[^/]*$/, name) }, { logger: silent });
  await store.close();
  return name;
}
