import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newDataFolder } from '../../store.testing.ts';
import { createStatements, type Statements } from './statements.ts';

describe('prepared statements of the embedded database', () => {
  let dataDir: string;
  let pglite: PGlite;
  let statements: Statements;
  const countKept = async () => {
    const { rows } = await statements.alone('SELECT count(*)::int AS count FROM pg_prepared_statements', []);
    return z.object({ count: z.number() }).parse(rows[0]).count;
  };

  beforeAll(async () => {
    dataDir = await newDataFolder();
    pglite = await PGlite.create(join(dataDir, 'postgres'));
    await pglite.exec(
      'CREATE TABLE things (id integer PRIMARY KEY, name text, at timestamptz, facts jsonb, is_on boolean)',
    );
    statements = createStatements(pglite);
  });
  afterAll(async () => {
    await pglite.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('return each type as it was passed in, with the number of rows written', async () => {
    const at = new Date('2026-03-23T08:00:00.123Z');
    const add = 'INSERT INTO things VALUES ($1, $2, $3, $4::jsonb, $5)';
    expect(await statements.alone(add, [1, 'ü', at, '{"a":[1]}', true])).toEqual({ rows: [], affected: 1 });
    expect(await statements.alone(add, [2, null, null, null, null])).toEqual({ rows: [], affected: 1 });
    expect((await statements.alone('SELECT * FROM things WHERE id <= $1 ORDER BY id', [2])).rows).toEqual([
      { id: 1, name: 'ü', at, facts: { a: [1] }, is_on: true },
      { id: 2, name: null, at: null, facts: null, is_on: null },
    ]);
  });

  test('are prepared once for each text', async () => {
    const before = await countKept();
    for (const id of [1, 2, 3]) await statements.alone('SELECT name FROM things WHERE id = $1', [id]);
    expect((await countKept()) - before).toBe(1);
  });

  test('still work after one that the database refuses, alone and in a transaction that is rolled back', async () => {
    const add = 'INSERT INTO things (id) VALUES ($1)';
    await statements.alone(add, [10]);
    await expect(statements.alone(add, [10])).rejects.toMatchObject({ code: '23505' });
    await expect(statements.alone('SELECT nothing FROM things', [])).rejects.toMatchObject({ code: '42703' });
    await expect(statements.alone('SELECT $1::integer AS one', ['x'])).rejects.toMatchObject({ code: '22P02' });
    await pglite
      .transaction(async () => {
        await statements.inTransaction(add, [11]);
        await statements.inTransaction(add, [10]);
      })
      .catch(() => {});
    await statements.alone(add, [12]);
    expect((await statements.alone('SELECT id FROM things WHERE id >= $1 ORDER BY id', [10])).rows).toEqual([
      { id: 10 },
      { id: 12 },
    ]);
  });

  test('wait for a running transaction', async () => {
    const seen: string[] = [];
    let alone: Promise<unknown> = Promise.resolve();
    await pglite.transaction(async () => {
      alone = statements.alone('SELECT 1', []).then(() => seen.push('alone'));
      await statements.inTransaction('UPDATE things SET name = $1', ['during']);
      seen.push('in the transaction');
    });
    await alone;
    expect(seen).toEqual(['in the transaction', 'alone']);
  });

  test('are dropped when there are too many of them', async () => {
    for (let number = 0; number < 600; number += 1) await statements.alone(`SELECT ${number} AS one`, []);
    expect(await countKept()).toBeLessThan(500);
    expect((await statements.alone('SELECT 7 AS one', [])).rows).toEqual([{ one: 7 }]);
  });
});
