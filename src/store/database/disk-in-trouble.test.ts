import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
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

/** Opens the database on a disk whose failures the test controls. */
const open = () => openEmbedded(dataDir, { start: () => startInTrouble(trouble) });

const fill = (database: Database): Promise<number> =>
  database.write("INSERT INTO samples SELECT repeat('x', 1000) FROM generate_series(1, 1000)");

test('reports that its disk is full, also at the next start, and keeps what was committed until there is space', async () => {
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
  const error = await open().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataFolderUnusableError);
  expect(error).toMatchObject({
    next: 'free up at least 64 MB there, then start Notif again: what was recorded is not lost',
  });
  await writeFile(trouble, '');
  const again = await open();
  expect(await again.rows(Note, NOTES)).toEqual(['committed']);
  await again.close();
});
