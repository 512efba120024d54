import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { silent } from '../lib/logger.testing.ts';
import { copyRows } from './move.ts';
import { type DatabasePlace, openDb } from './open.ts';
import { exampleRows, newDatabase, newStoreFolder, storedRows } from './store.testing.ts';

test('A server gets every row of an embedded database once, and goes on with its numbers', async () => {
  const folder = await newStoreFolder();
  const from = await open({ kind: 'embedded', folder });
  onTestFinished(() => rm(folder, { recursive: true }));
  const to = await open({ kind: 'server', url: await newDatabase() });
  for (const statement of exampleRows()) await from.write(statement);
  await from.write("INSERT INTO kv SELECT n, to_jsonb(repeat('x', 1000)) FROM generate_series(1, 2000) n");
  await from.write("SELECT setval('incidents_id_seq', 41)");
  await copyRows(from, to);
  expect(await storedRows(to)).toEqual(await storedRows(from));
  expect(await to.rows(z.unknown(), "SELECT nextval('incidents_id_seq') AS next")).toEqual([{ next: 42 }]);
  await expect(copyRows(from, to)).rejects.toThrow('is used by Notif: name an empty one');
});

async function open(place: DatabasePlace) {
  const { db, close } = await openDb(place, { logger: silent });
  onTestFinished(close);
  return db;
}
