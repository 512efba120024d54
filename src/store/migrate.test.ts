import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, onTestFinished, test } from 'vitest';
import { silent } from '../lib/logger.testing.ts';
import { StoreUnusableError } from './errors.ts';
import { openDb } from './open.ts';
import { administer, newDatabase, newEmptyDatabase } from './store.testing.ts';

/** Databases have recorded these hashes. What a migration should have done is done by another one, with what it adds to the rows of KEPT. */
const FROZEN = [
  'e903f54d5e14290168caf37d540e808b5b439deb170791155716291f454c236b',
  '6522722c062e319bfc58b4da981f829162c68a961a8a2a9a4e477874b3b88c29',
  'c1f8d92ef1abc9b0727801691b50cf502c68b66af927015f83c9e4d323463d25',
  '9a1cbfea907ef50777dd671640512b20bf510aa09b6e64e3a7cfe6bd04ad6af2',
  '358c1fb1b4ceefc9f0071e5e6ca51642cced1bd36755c18fe8a06d028fdaa19c',
  'acf42538835a8673f5874570835b293ccd293e987888566bdcf16725387b0352',
  '162149bcbce02d014076b41e1e9ef30ac866bcea60c321e129fdfb560a1caa0a',
  'a9dc0efb4fe2444e4defc517bce362373ee703181e909dff9a1cd5e4350b485b',
  'e7528afacaa2f80c2dbf635124e703debc372693db6c8d2488c3fa4287c6cf51',
  'd87d7da491d690b9868fce267e40e631f8e0ff0db899fdd1e68972d4bff2a9bd',
  '0394f3c44e9f41092606be85abe7aed552bc8a531d71b83f514d318e5cd836c9',
  'cdfa71e3e0b9010152307bbc881049250a840872d8660103c51c76a77ae0c7fa',
  'c815d004c1d81994b5dedfbc16ce1714a38564bef2ffe1718c09140d9dcf2665',
  '28c3f7ae91550daf80977706054004e1ba4e4af99e54903fe5d465be6e7dd352',
];

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
