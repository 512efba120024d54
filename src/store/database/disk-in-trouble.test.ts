import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import { newStoreFolder } from '../store.testing.ts';
import type { Database } from './database.ts';
import { startInTrouble } from './embedded/in-trouble.testing.ts';
import { openEmbedded } from './embedded.ts';
import { DataFolderUnusableError } from './errors.ts';

const Note = z.object({ text: z.string() }).transform(({ text }) => text);
const NOTES = 'SELECT text FROM samples';

let dataDir: string;
let trouble: string;
beforeEach(async () => {
  dataDir = await newStoreFolder();
  trouble = join(dataDir, 'trouble');
  await writeFile(trouble, '');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = () => startInTrouble(trouble);

/** Opens the database on a disk whose failures the test controls. */
function open(options: { statementMs?: number } = {}) {
  return openEmbedded(dataDir, { start, ...options });
}

const fill = (database: Database): Promise<number> =>
  database.write("INSERT INTO samples SELECT repeat('x', 1000) FROM generate_series(1, 1000)");

test('reports PostgreSQL’s last error when its disk is full, and keeps what was committed', async () => {
  const database = await open();
  await database.executeSql('CREATE TABLE samples (text text)');
  await database.write("INSERT INTO samples VALUES ('committed')");
  await writeFile(trouble, 'ENOSPC');
  await expect(fill(database)).rejects.toThrow();
  // A table that can't grow only rejects a write; a log that can't grow makes PostgreSQL panic.
  await database.write("INSERT INTO samples VALUES ('lost')").catch(() => {});
  expect(await database.died).toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining('No space left on device') }),
  });
  expect(database.isOpen()).toBe(false);
  await database.close();
  await writeFile(trouble, '');
  const again = await open();
  expect(await again.rows(Note, NOTES)).toEqual(['committed']);
  await again.close();
});

test('rejects a statement that a slow disk delays beyond its bound, and continues once the disk is fast again', async () => {
  const database = await open({ statementMs: 3_000 });
  await database.executeSql('CREATE TABLE samples (text text)');
  await writeFile(trouble, '6000');
  await expect(database.write("INSERT INTO samples VALUES ('slow')")).rejects.toThrow(StoreTroubleError);
  await writeFile(trouble, '');
  const answered = () => database.rows(Note, NOTES).catch(() => 'not yet');
  await expect.poll(answered).toEqual(['slow']);
  await database.close();
});

test('reports at the start that the disk is full and nothing is lost, and starts once there is space', async () => {
  await writeFile(trouble, 'ENOSPC');
  const error = await openEmbedded(dataDir, { start }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataFolderUnusableError);
  expect(error).toMatchObject({
    next: 'free up at least 64 MB there, then start Notif again: what was recorded is not lost',
  });
  await writeFile(trouble, '');
  await (await open()).close();
});
