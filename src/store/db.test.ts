import { rm } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { silent } from '../lib/logger.testing.ts';
import { anyCharacter } from '../lib/text/any-character.testing.ts';
import { stored } from '../lib/text/shown-id.ts';
import { type Db, jsonOf } from './db.ts';
import { type OpenDb, openDb } from './open.ts';
import { administer, ENGINES, newDatabase, newStoreFolder } from './store.testing.ts';
import { kv } from './tables.ts';

/** Settings of a database that would change what statements and answers mean, or end them. */
const STRANGE = [
  "client_encoding = 'LATIN1'",
  "DateStyle = 'SQL, DMY'",
  "TimeZone = 'Asia/Kathmandu'",
  'extra_float_digits = -10',
  'search_path = nowhere',
  'exit_on_error = on',
  "default_transaction_isolation = 'serializable'",
  'lock_timeout = 1',
];

async function newStrangeDatabase(): Promise<string> {
  const url = await newDatabase();
  await administer(url, ...STRANGE.map((setting) => `ALTER DATABASE ${url.match(/[^/]*$/)} SET ${setting}`));
  return url;
}

const Note = z.object({ text: z.string() }).transform(({ text }) => text);
const NOTES = 'SELECT text FROM samples ORDER BY text';

describe.each(ENGINES)('the %s database', (engine) => {
  let opened: OpenDb;
  let db: Db;
  let folder: string | undefined;

  beforeAll(async () => {
    folder = engine === 'embedded' ? await newStoreFolder() : undefined;
    const place = folder
      ? ({ kind: 'embedded', folder } as const)
      : ({ kind: 'server', url: await newStrangeDatabase() } as const);
    opened = await openDb(place, { logger: silent });
    db = opened.db;
    await db.write('CREATE TABLE samples (text text PRIMARY KEY)');
  });
  beforeEach(() => db.write('DELETE FROM samples'));
  afterAll(async () => {
    await opened.close();
    if (folder) await rm(folder, { recursive: true });
  });

  test('keeps everything that a transaction writes, or nothing', async () => {
    const failing = db.transaction(async (tx) => {
      await tx.write("INSERT INTO samples VALUES ('lost')");
      throw new Error('on the way');
    });
    await expect(failing).rejects.toThrow('on the way');
    await db.transaction((tx) => tx.write("INSERT INTO samples VALUES ('kept')"));
    expect(await db.rows(Note, NOTES)).toEqual(['kept']);
  });

  test("keeps a transaction intact when another caller's statement fails in the middle of it", async () => {
    let neighbor: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await tx.write("INSERT INTO samples VALUES ('before')");
      neighbor = db.write('SELECT 1 / $1::int', [0]);
      neighbor.catch(() => {});
      await tx.write("INSERT INTO samples VALUES ('after')");
    });
    await expect(neighbor).rejects.toThrow('division by zero');
    expect(await db.rows(Note, NOTES)).toEqual(['after', 'before']);
  });

  test("doesn't claim to have kept what a failed statement undid", async () => {
    const failed = db.transaction(async (tx) => {
      await tx.write("INSERT INTO samples VALUES ('undone')");
      await tx.write('SELECT 1 / 0').catch(() => {});
    });
    await expect(failed).rejects.toThrow('division by zero');
    expect(await db.rows(Note, NOTES)).toEqual([]);
  });

  test("reads outside of a transaction what a builder wrote in one, with characters that PostgreSQL can't store replaced", async () => {
    const value = stored({ at: new Date('2026-03-29T01:30:00.123Z'), text: 'nothing \0 and half \ud83d' });
    const expiresAt = new Date('2026-03-29T01:30:00.123Z');
    await db.transaction((tx) => tx.insert(kv).values({ key: 'a', value, expiresAt }));
    expect(await db.select().from(kv).where(eq(kv.key, 'a'))).toEqual([
      { key: 'a', value: { at: '2026-03-29T01:30:00.123Z', text: 'nothing \uFFFD and half \uFFFD' }, expiresAt },
    ]);
    await db.delete(kv);
  });

  test("accepts any text, as a value and within a list, and replaces what PostgreSQL can't store", async () => {
    const Echo = z.object({ value: z.string(), list: z.array(z.string()) });
    const echo = 'SELECT $1::text AS value, $2::jsonb AS list';
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
        const [{ value, list } = { value: '', list: [] }] = await db.rows(Echo, echo, [text, jsonOf([text])]);
        const storable = Buffer.from(text).toString().replaceAll('\0', '\uFFFD');
        expect([value, list]).toEqual([storable, [storable]]);
      }),
      { numRuns: 15 },
    );
  });

  test('returns each type alike, as it was passed in', async () => {
    const at = new Date('2026-03-29T01:30:00.123Z');
    const text = `SELECT $1::timestamptz AS time, $2::text AS nothing, $3::int AS number, $4::float8 AS fraction,
      $5::boolean AS truth, $6::jsonb AS json, ARRAY['a', 'ü'] AS list, 900719925474099 AS big`;
    const rows = await db.rows(z.unknown(), text, [at, null, -1, 0.1, false, jsonOf({ a: [1, null] })]);
    expect(rows).toEqual([
      {
        time: at,
        nothing: null,
        number: -1,
        fraction: 0.1,
        truth: false,
        json: { a: [1, null] },
        list: ['a', 'ü'],
        big: 900719925474099,
      },
    ]);
  });

  test.each<[string, (secret: string) => Promise<unknown>]>([
    ['by hand', (secret) => db.write('INSERT INTO samples VALUES ($1), ($1)', [secret])],
    ['by a builder', (secret) => db.insert(kv).values([secret, secret].map((key) => ({ key, value: stored(1) })))],
  ])("rejects a statement %s with PostgreSQL's message and code, without its values", async (_, run) => {
    const error = await run('a secret').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'StatementError', code: '23505' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a secret');
  });
});
