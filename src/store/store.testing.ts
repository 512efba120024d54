import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, describe, inject, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { silent } from '../lib/logger.testing.ts';
import { type Db, dbOn } from './db.ts';
import cases from './migrate.cases.json' with { type: 'json' };
import { type DatabasePlace, type OpenDb, openDb } from './open.ts';

export const ENGINES = ['embedded', 'server'] as const;
export type Engine = (typeof ENGINES)[number];

/** A store for all files of a worker, on this run's database: opening one takes a second, emptying it a few milliseconds. */
const withStore = test.extend(
  'openOnce',
  { scope: 'worker' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads out of the pattern that no other fixture is asked for.
  async ({}, { onCleanup }) => {
    let store: Promise<OpenDb> | undefined;
    onCleanup(async () => (await store)?.close());
    return (): Promise<OpenDb> => {
      store ??= openTestStore(inject('database'));
      return store;
    };
  },
);

/** Returns a store shared with other files: empty before all tests, and not to be closed. */
export function keptStore(): () => OpenDb {
  let store: OpenDb | undefined;
  const opened = (): OpenDb => {
    if (store === undefined) throw new Error('the store is opened before all tests, not while they are declared');
    return store;
  };
  withStore.beforeAll(async ({ openOnce }) => {
    store = await openOnce();
    await emptyStore(store);
  });
  return opened;
}

export function describeStore(title: string, tests: (store: () => OpenDb) => void): void {
  describe(`${title}, on the ${inject('database')} database,`, () => {
    const store = keptStore();
    beforeEach(() => emptyStore(store()));
    tests(store);
  });
}

const TableRow = z.object({ tablename: z.string() });
const TABLES = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()';

const EMPTY = `DO $$
  DECLARE name text;
  BEGIN
    FOR name IN ${TABLES} AND tablename <> 'kv' LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
    DELETE FROM kv WHERE key <> 'migrations';
    PERFORM setval('failures_seq_seq', 1, false), setval('incidents_id_seq', 1, false);
  END $$`;

/** Deletes all rows, and restarts the numbers after which watches begin. TRUNCATE is far slower. */
async function emptyStore({ db }: OpenDb): Promise<void> {
  await db.write(EMPTY);
}

export const dbWith = (db: Db, change: Partial<Db>): Db => Object.assign(Object.create(db), change);

/** A database that answers each statement with these rows: a builder's are lists of values. */
export function dbAnswering(rows: (text: string) => Promise<unknown[]>): Db {
  return dbOn((use) => use(async (text) => ({ rows: await rows(text), affected: 0 })), { logger: silent });
}

/** Closing the store deletes its data. */
async function openTestStore(engine: Engine): Promise<OpenDb> {
  const place: DatabasePlace =
    engine === 'server'
      ? { kind: 'server', url: await newDatabase() }
      : { kind: 'embedded', folder: await newStoreFolder() };
  const store = await openDb(place, { logger: silent });
  const remove = () =>
    place.kind === 'server' ? dropDatabase(place.url) : rm(place.folder, { recursive: true, force: true });
  return { ...store, close: () => store.close().then(remove) };
}

/** Creates a data folder with an embedded database that has all tables. */
export async function newStoreFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-data-'));
  cpSync(await shared('/tables'), join(dataDir, 'postgres'), { recursive: true });
  return dataDir;
}

/** Creates a database with all tables, empty, on a real PostgreSQL server, and returns its address, by a Unix socket. */
export const newDatabase = (): Promise<string> => shared('/database');

/** Creates a database without tables on a real PostgreSQL server, and returns its address, by TCP. */
export async function newEmptyDatabase(): Promise<string> {
  const server = await shared('/postgres');
  const name = `notif_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  return server.replace(DATABASE_NAME, name);
}

export async function dropDatabase(url: string): Promise<void> {
  await shared(`/dropped/${url.match(DATABASE_NAME)}`);
}

const DATABASE_NAME = /[^/]*$/;

/** A connection until the end of the test, beside those of the store. */
export async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

export async function administer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

export async function storedRows(db: Db): Promise<string[]> {
  const tables = await db.rows(TableRow, TABLES);
  const rows = tables.map(({ tablename }) => `SELECT '${tablename} ' || to_jsonb(t)::text AS text FROM ${tablename} t`);
  return (await db.rows(z.object({ text: z.string() }), rows.join(' UNION ALL '))).map(({ text }) => text).sort();
}

export const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** The SQL of all migrations, in order: the one at 8 makes schema 9. */
export function migrationTexts(): string[] {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  return files.sort().map((name) => readFileSync(new URL(name, MIGRATIONS), 'utf8'));
}

const KEPT = new URL('../../test/support/schemas/', import.meta.url);

/** Rows as the first `count` schemas have them, and the migrations that made these. A schema without a file adds none. */
export function rowsOfSchemas(count: number): string {
  const files = readdirSync(KEPT).filter((name) => Number(name.slice(0, 4)) < count);
  const rows = files.sort().map((name) => readFileSync(new URL(name, KEPT), 'utf8'));
  const applied = JSON.stringify(cases.frozen.slice(0, count));
  return `${rows.join('')}INSERT INTO kv (key, value) VALUES ('migrations', '${applied}');\n`;
}

/** Statements that give each table but `kv` a row, as the newest version writes it. */
export function exampleRows(): string[] {
  const isGone = /^((INSERT INTO|UPDATE) (kv|messages|alerts|incident_workflows) |$)/;
  return rowsOfSchemas(cases.frozen.length)
    .split(/;\n/)
    .filter((statement) => !isGone.test(statement));
}

export async function shared(path: `/${string}`): Promise<string> {
  const response = await fetch(`${inject('databases')}${path}`);
  if (!response.ok) throw new Error(`${path} could not be made: ${await response.text()}`);
  return response.text();
}

export async function cutConnections(url: string): Promise<void> {
  const others = 'datname = current_database() AND pid <> pg_backend_pid()';
  await administer(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
}
