import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StoreTrouble } from '../../domain/health/store-trouble.ts';
import { ENGINES, newDataFolder, newEmptyDatabase, silent } from '../store.testing.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { guardedDatabase } from './guarded-database.ts';
import { openServer } from './server.ts';

const Note = z.object({ text: z.string() }).transform(({ text }) => text);

describe.each(ENGINES)('the guarded %s database', (engine) => {
  let folder: string | undefined;
  let database: Database;
  let guarded: Database;
  let trouble: StoreTrouble | null = null;
  beforeAll(async () => {
    folder = engine === 'embedded' ? await newDataFolder() : undefined;
    database = folder ? await openEmbedded(folder) : await openServer(await newEmptyDatabase(), silent);
    guarded = guardedDatabase(database, () => trouble);
    await database.executeSql('CREATE TABLE samples (text text)');
  });
  afterAll(async () => {
    await database.close();
    if (folder) await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    trouble = null;
    await database.write('DELETE FROM samples');
  });

  const everyWay: readonly [string, () => Promise<unknown>][] = [
    ['a write', () => guarded.write("INSERT INTO samples VALUES ('a')")],
    ['a write that answers rows', () => guarded.rows(Note, "INSERT INTO samples VALUES ('a') RETURNING text")],
    ['a transaction', () => guarded.withTransaction((sql) => sql.write("INSERT INTO samples VALUES ('a')"))],
  ];

  test.each(everyWay)("rejects %s at once while the database doesn't respond", async (_, write) => {
    trouble = 'not-answering';
    await expect(write()).rejects.toMatchObject({ name: 'StoreTroubleError', trouble: 'not-answering', isKnown: true });
    await expect(guarded.executeSql('SELECT 1')).rejects.toMatchObject({ trouble: 'not-answering' });
    expect(await database.rows(Note, 'SELECT text FROM samples')).toEqual([]);
  });

  test('explains a write rejected because the database is read-only', async () => {
    const refused = guarded.withTransaction(async (sql) => {
      await sql.write('SET TRANSACTION READ ONLY');
      await sql.write("INSERT INTO samples VALUES ('a')");
    });
    await expect(refused).rejects.toMatchObject({ name: 'StoreTroubleError', trouble: 'read-only', isKnown: false });
  });

  test("passes a statement's own errors on unchanged", async () => {
    await expect(guarded.write('INSERT INTO nowhere VALUES (1)')).rejects.toMatchObject({ code: '42P01' });
  });
});
