import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEmptyDatabase } from './empty-database.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-empty-database-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('initializes a database without templates if no prepared one exists, and copies a prepared one', async () => {
  const madeBefore = pathToFileURL(join(folder, 'made-before'));
  const [first, second] = [join(folder, 'made-before'), join(folder, 'postgres')];
  await makeEmptyDatabase(first, madeBefore);
  const database = await PGlite.create(first);
  expect((await database.query('SELECT datname FROM pg_database')).rows).toEqual([{ datname: 'postgres' }]);
  await database.exec('CREATE TABLE notes AS SELECT 1 AS one');
  await database.close();

  await makeEmptyDatabase(second, madeBefore);
  const copy = await PGlite.create(second);
  expect((await copy.query('SELECT * FROM notes')).rows).toEqual([{ one: 1 }]);
  await copy.close();
});
