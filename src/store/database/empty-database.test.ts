import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeEmptyDatabase, packEmptyDatabase } from './empty-database.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-empty-database-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('packs a database once, from which another one is made', async () => {
  const archive = pathToFileURL(join(folder, 'empty-database.tgz'));
  await packEmptyDatabase(archive);
  const packed = await stat(archive);
  await packEmptyDatabase(archive);
  expect((await stat(archive)).mtimeMs).toBe(packed.mtimeMs);

  const files = join(folder, 'postgres');
  await makeEmptyDatabase(files, archive);
  const database = await PGlite.create(files);
  expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await database.close();
});
