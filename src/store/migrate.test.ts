import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, onTestFinished, test } from 'vitest';
import { silent } from '../lib/logger.testing.ts';
import { StoreUnusableError } from './errors.ts';
import cases from './migrate.cases.json' with { type: 'json' };
import { openDb } from './open.ts';
import { administer, newDatabase, newEmptyDatabase } from './store.testing.ts';

/** Databases have recorded these hashes. What a migration should have done is done by another one, with what it adds to the rows of KEPT. */
const FROZEN = cases.frozen;

const SRC = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(SRC).map((noun) => `${SRC}${noun}/tables.ts`);
const modules: readonly object[] = await Promise.all(files.filter(existsSync).map((file) => import(file)));
const tables = modules.flatMap((module) => Object.values(module)).filter((value) => is(value, PgTable));

const MIGRATIONS = new URL('./migrations/', import.meta.url);
const KEPT = new URL('../../test/support/schemas/', import.meta.url);
const contents = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const migrations = contents(MIGRATIONS);

test('A migration never changes', () => {
  expect(migrations.map((text) => createHash('sha256').update(text).digest('hex'))).toEqual(FROZEN);
});

/** What a migration made of its rows can't change any more: the newest ones are tried, and the whole way. */
const newest = FROZEN.length;
test.each([1, Math.ceil(newest / 2), newest - 1, newest])(
  'A database of schema %i is upgraded with all its rows',
  async (kept) => {
    const url = await newEmptyDatabase();
    const rows = contents(KEPT).slice(0, kept).join('');
    await administer(url, ...migrations.slice(0, kept), rows);
    const { db, close } = await openDb({ kind: 'server', url }, { logger: silent });
    onTestFinished(close);
    for (const table of tables) {
      const isKept = rows.includes(`INSERT INTO ${getTableName(table)} `);
      expect(await db.select().from(table), getTableName(table)).toHaveLength(Number(isKept));
    }
  },
);

test('A database of a newer version is refused with what to do', async () => {
  const url = await newDatabase();
  await administer(url, "UPDATE kv SET value = value || '[\"a later migration\"]' WHERE key = 'migrations'");
  const refusal = await openDb({ kind: 'server', url }, { logger: silent }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StoreUnusableError);
  const schemas = new RegExp(`has schema ${FROZEN.length + 1} .* knows schema ${FROZEN.length}: start`);
  expect(String(refusal)).toMatch(schemas);
});
