import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDataFolder } from '../../store.testing.ts';
import { EmbeddedDatabaseEndedError, StatementError } from '../errors.ts';
import { type DatabaseThread, startThread } from './thread.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await newDataFolder();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const query = (thread: DatabaseThread, text: string, values: unknown[] = [], transaction: number | null = null) =>
  thread.ask({ kind: 'query', text, values, transaction });

describe('the thread of the embedded database', () => {
  let thread: DatabaseThread;
  beforeAll(async () => {
    thread = startThread();
    await thread.ask({ kind: 'open', dataDir });
    await thread.ask({ kind: 'script', text: 'CREATE TABLE notes (text text)', transaction: null });
  });
  afterAll(() => thread.end());

  test('passes values in and out unchanged', async () => {
    const at = new Date('2026-03-29T01:30:00.123Z');
    const text = `SELECT $1::timestamptz AS time, $2::text AS nothing, $3::int AS number, $4::float8 AS fraction,
      $5::boolean AS truth, $6::jsonb AS json, $7::text[] AS list, 9007199254740993 AS big`;
    const values = [at, null, -1, 0.1, false, { a: [1, null] }, ['a', 'b']];
    const [row] = (await query(thread, text, values)).rows;
    expect(row).toEqual({
      ...{ time: at, nothing: null, number: -1, fraction: 0.1, truth: false },
      ...{ json: { a: [1, null] }, list: ['a', 'b'], big: 9007199254740993n },
    });
  });

  test('rejects with PostgreSQL’s message and code, without the values', async () => {
    const error = await query(thread, 'SELECT $1::text FROM nowhere', ['a secret']).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StatementError);
    expect(error).toMatchObject({ message: 'relation "nowhere" does not exist', code: '42P01' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a secret');
  });

  test("rejects a value that can't be passed to the thread, and continues", async () => {
    await expect(query(thread, 'SELECT $1', [() => {}])).rejects.toThrow('could not be cloned');
    expect((await query(thread, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('keeps a late statement out of the next transaction', async () => {
    await thread.ask({ kind: 'enter', transaction: 1 });
    await thread.ask({ kind: 'leave', transaction: 1, outcome: 'commit' });
    await thread.ask({ kind: 'enter', transaction: 2 });
    const late = query(thread, "INSERT INTO notes VALUES ('late')", [], 1);
    await expect(late).rejects.toThrow('transaction 1 is not running');
    await thread.ask({ kind: 'leave', transaction: 2, outcome: 'commit' });
    expect((await query(thread, 'SELECT * FROM notes')).rows).toEqual([]);
  });

  test("doesn't claim to have kept what a failed statement undid", async () => {
    await thread.ask({ kind: 'enter', transaction: 3 });
    await query(thread, "INSERT INTO notes VALUES ('undone')", [], 3);
    await expect(query(thread, 'SELECT 1 / 0', [], 3)).rejects.toMatchObject({ code: '22012' });
    await expect(thread.ask({ kind: 'leave', transaction: 3, outcome: 'commit' })).rejects.toThrow(StatementError);
    expect((await query(thread, 'SELECT * FROM notes')).rows).toEqual([]);
  });

  test('answers all earlier requests before it closes', async () => {
    await thread.ask({ kind: 'enter', transaction: 4 });
    const closed = thread.ask({ kind: 'close' });
    const written = await query(thread, "INSERT INTO notes VALUES ('in time')", [], 4);
    await thread.ask({ kind: 'leave', transaction: 4, outcome: 'commit' });
    await closed;
    expect(written.affected).toBe(1);
    await expect(query(thread, 'SELECT 1')).rejects.toThrow('closed');
  });
});

describe('a thread that ends', () => {
  const unreachable = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { throw new Error('unreachable'); });`;

  test('reports the failure and the next step to pending and later callers', async () => {
    const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(unreachable)}`));
    const waiting = await Promise.allSettled([query(thread, 'SELECT 1'), query(thread, 'SELECT 2')]);
    expect(thread.isRunning()).toBe(false);
    expect(await thread.died).toMatchObject({ cause: expect.objectContaining({ message: 'unreachable' }) });
    const later = await Promise.allSettled([query(thread, 'SELECT 3')]);
    for (const outcome of [...waiting, ...later]) {
      const reason: unknown = outcome.status === 'rejected' ? outcome.reason : outcome;
      expect(reason).toBeInstanceOf(EmbeddedDatabaseEndedError);
      expect(reason).toMatchObject({ next: expect.stringContaining('restart Notif') });
      expect(reason).toMatchObject({ cause: expect.objectContaining({ message: 'unreachable' }) });
    }
  });

  test('reports PostgreSQL’s last error and stops the thread, which would otherwise spin', async () => {
    const panicking = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => { parentPort.postMessage({ panic: 'PANIC:  no space left' }); for (;;); });`;
    const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(panicking)}`));
    const waiting = await query(thread, 'SELECT 1').catch((reason: unknown) => reason);
    expect(waiting).toMatchObject({ cause: expect.objectContaining({ message: 'PANIC:  no space left' }) });
    expect(await thread.died).toBe(waiting);
    await thread.end();
  });

  test("doesn't count as dead if it was asked to end", async () => {
    const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(unreachable)}`));
    await thread.end();
    expect(await Promise.race([thread.died, Promise.resolve('alive till then')])).toBe('alive till then');
  });

  test('reports an exit of its file without an error', async () => {
    const thread = startThread(new URL('data:text/javascript,'));
    const waiting = await query(thread, 'SELECT 1').catch((reason: unknown) => reason);
    expect(waiting).toMatchObject({ cause: expect.objectContaining({ message: expect.stringContaining('code 0') }) });
  });
});
