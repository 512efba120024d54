import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ENGINES, newDataFolder, newEmptyDatabase, silent } from '../store.testing.ts';
import { type Database, jsonOf } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { openServer } from './server.ts';

const NOTES = 'SELECT text FROM samples ORDER BY text';
const Note = z.object({ text: z.string() }).transform(({ text }) => text);

describe.each(ENGINES)('the %s database', (engine) => {
  let database: Database;
  let folder: string | undefined;

  beforeAll(async () => {
    folder = engine === 'embedded' ? await newDataFolder() : undefined;
    database = folder ? await openEmbedded(folder) : await openServer(await newEmptyDatabase(), silent);
    await database.executeSql('CREATE TABLE samples (text text PRIMARY KEY)');
  });
  afterAll(async () => {
    await database.close();
    if (folder) await rm(folder, { recursive: true });
  });

  test('keeps everything that a transaction writes, or nothing', async () => {
    await database.write('DELETE FROM samples');
    const failing = database.withTransaction(async (sql) => {
      await sql.write("INSERT INTO samples VALUES ('lost')");
      throw new Error('on the way');
    });
    await expect(failing).rejects.toThrow('on the way');
    await database.withTransaction((sql) => sql.write("INSERT INTO samples VALUES ('kept')"));
    expect(await database.rows(Note, NOTES)).toEqual(['kept']);
  });

  test("keeps a transaction intact when another caller's statements fail in the middle of it", async () => {
    await database.write('DELETE FROM samples');
    const neighbours: Promise<unknown>[] = [];
    await database.withTransaction(async (sql) => {
      await sql.write("INSERT INTO samples VALUES ('before')");
      const script = "BEGIN; INSERT INTO samples VALUES ('neighbour'); SELECT 1 / 0; COMMIT;";
      neighbours.push(database.executeSql(script), database.executeSql('SELECT 1 / $1::int', [0]));
      for (const neighbour of neighbours) neighbour.catch(() => {});
      await sql.write("INSERT INTO samples VALUES ('after')");
    });
    expect(await Promise.allSettled(neighbours)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(await database.rows(Note, NOTES)).toEqual(['after', 'before']);
  });

  test("returns the result of a script's last statement", async () => {
    expect((await database.executeSql('BEGIN; SELECT 1 AS one; COMMIT;')).rows).toEqual([]);
    expect((await database.executeSql('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
  });

  test('accepts any text, as a value and within a list', async () => {
    const Echo = z.object({ value: z.string(), list: z.array(z.string()) });
    const echo = 'SELECT $1::text AS value, $2::jsonb AS list';
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const [{ value, list } = { value: '', list: [] }] = await database.rows(Echo, echo, [text, jsonOf([text])]);
        const storable = Buffer.from(text).toString().replaceAll('\0', '\uFFFD');
        expect([value, list]).toEqual([storable, [storable]]);
      }),
      { numRuns: 15 },
    );
  });

  test('returns each type alike, as it was passed in', async () => {
    const at = new Date('2026-03-29T01:30:00.123Z');
    const text = `SELECT $1::timestamptz AS time, $2::text AS nothing, $3::int AS number, $4::float8 AS fraction,
      $5::boolean AS truth, $6::jsonb AS json, $7::text[] AS list, 9007199254740993 AS big`;
    const { rows } = await database.executeSql(text, [at, null, -1, 0.1, false, { a: [1, null] }, ['a', 'ü']]);
    expect(rows).toEqual([
      {
        ...{ time: at, nothing: null, number: -1, fraction: 0.1, truth: false },
        ...{ json: { a: [1, null] }, list: ['a', 'ü'], big: '9007199254740993' },
      },
    ]);
  });

  test("rejects with PostgreSQL's message and code, without the values, and prepares each text once", async () => {
    const error = await database.executeSql('SELECT $1::text FROM nowhere', ['a secret']).catch((thrown) => thrown);
    expect(error).toMatchObject({ message: 'relation "nowhere" does not exist', code: '42P01' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a secret');
    const counting = "SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE '%' || $1";
    for (const _ of [1, 2]) expect((await database.executeSql(counting, ['$1'])).rows).toEqual([{ count: 1 }]);
  });

  test("doesn't claim to have kept what a failed statement undid", async () => {
    await database.write('DELETE FROM samples');
    const failed = database.withTransaction(async (sql) => {
      await sql.write("INSERT INTO samples VALUES ('undone')");
      await sql.write('SELECT 1 / 0').catch(() => {});
    });
    await expect(failed).rejects.toThrow('nothing of the transaction was kept');
    expect(await database.rows(Note, NOTES)).toEqual([]);
  });

  test('reclaims the space of deleted rows', async () => {
    await database.vacuum();
    await database.vacuum(AbortSignal.abort());
  });
});

test('begins transactions in only one place in the code', () => {
  const beginning = readdirSync(import.meta.dirname, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) =>
      /\bBEGIN\b|START TRANSACTION/.test(
        readFileSync(join(import.meta.dirname, name), 'utf8').replaceAll(/^ *(\/\*\*|\*|\/\/).*$/gm, ''),
      ),
    );
  expect(beginning).toEqual(['pool.ts']);
});
