import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { QUEUE } from '../../src/jobs/queue.ts';
import { copyFolder } from '../../src/store/database/copy-folder.ts';
import { makeEmptyDatabase } from '../../src/store/database/empty-database.ts';
import { openStore } from '../../src/store/store.ts';

/**
 * Initializing takes seconds and 900 MB; opening a copy takes a quarter of a second. It is kept from run to run for as long as the
 * package is installed, whose version its name holds.
 */
export async function pgliteFolder(): Promise<string> {
  const installed = dirname(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const folder = join(installed, '../../.cache/notif', `pglite-alone-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  await makeEmptyDatabase(unfinished);
  await rename(unfinished, folder);
  return folder;
}

/**
 * V8 compiles the same WebAssembly once for all the threads of a process, for as long as one of them holds on to it. The tests of a run
 * open one embedded database after the other, each in a thread of its own: with what the caller keeps of this, PGlite is compiled for the
 * first one alone, and the others open with half the CPU time.
 */
export async function compilePglite(): Promise<unknown> {
  const installed = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(dirname(installed), 'pglite.wasm')));
}

/** Node's types have it as a type alone. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };

/** The tables cost as much as opening the database: a bot that finds them starts in half the time. */
export async function makeTables(initialised: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-tables-'));
  const folder = join(dataDir, 'postgres');
  copyFolder(initialised, folder);
  await (await openStore({ dataDir, logger: silent })).close();
  return folder;
}

/** Returns the name of a database on the server that others are made after, with the tables of the job queue. */
export async function makeTemplate(server: string): Promise<string> {
  const name = 'notif_template';
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const store = await openStore({ databaseUrl: server.replace(/[^/]*$/, name), dataDir: '', logger: silent });
  const boss = new PgBoss({ db: { executeSql: store.executeSql }, schedule: false });
  await boss.start();
  await boss.createQueue(QUEUE, { name: QUEUE, policy: 'short' });
  await boss.stop({ graceful: false });
  await store.close();
  return name;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
