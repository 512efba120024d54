import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { StoreTroubleError } from '../../../domain/health/store-trouble.ts';
import { newDataFolder } from '../../store.testing.ts';
import { type EmbeddedDatabase, openEmbedded } from '../embedded.ts';
import { EmbeddedDatabaseEndedError } from '../errors.ts';
import { startThread } from './thread.ts';

const One = z.object({ one: z.number() });
const SLOW = 'SELECT count(*)::integer AS one FROM generate_series(1, 3e5)';

describe('the embedded database in its thread', () => {
  let dataDir: string;
  let database: EmbeddedDatabase;
  beforeEach(async () => {
    dataDir = await newDataFolder();
  });
  afterEach(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('rejects what isn’t answered within its bound, and answers what is asked later', async () => {
    database = await openEmbedded(dataDir, { statementMs: 40 });
    const late = await database.rows(One, SLOW).catch((reason: unknown) => reason);
    expect(late).toBeInstanceOf(StoreTroubleError);
    expect(late).toMatchObject({ trouble: 'not-answering', next: expect.stringContaining('Try again') });
    await expect.poll(() => database.rows(One, 'SELECT 1 AS one').catch(() => [])).toEqual([{ one: 1 }]);
  });

  test('keeps nothing of a transaction that wasn’t answered in time, and gives the next one its own', async () => {
    database = await openEmbedded(dataDir, { statementMs: 40 });
    await database.executeSql('CREATE TABLE samples (one integer)');
    const cut = database.withTransaction(async (sql) => {
      await sql.write('INSERT INTO samples VALUES (1)');
      await sql.rows(One, SLOW);
    });
    await expect(cut).rejects.toThrow(StoreTroubleError);
    const add = () => database.withTransaction((sql) => sql.write('INSERT INTO samples VALUES (2)')).catch(() => 0);
    await expect.poll(add).toBe(1);
    expect(await database.rows(One, 'SELECT one FROM samples')).toEqual([{ one: 2 }]);
  });

  test('answers what was asked before it closes', async () => {
    database = await openEmbedded(dataDir);
    const written = database.executeSql('CREATE TABLE samples (text text)');
    await database.close();
    await written;
    await expect(database.rows(One, 'SELECT 1 AS one')).rejects.toThrow();
  });

  test('keeps a statement’s values out of its errors', async () => {
    database = await openEmbedded(dataDir);
    const error = await database.write('SELECT $1::text FROM nowhere', ['a secret']).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: 'relation "nowhere" does not exist', code: '42P01' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a secret');
  });
});

describe('a thread that ends', () => {
  const unreachable = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { throw new Error('unreachable'); });`;
  const file = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

  test('reports the failure and the next step to pending and later callers', async () => {
    const thread = startThread(file(unreachable));
    const waiting = await thread.open('/nowhere').catch((reason: unknown) => reason);
    expect(thread.isRunning()).toBe(false);
    expect(await thread.died).toMatchObject({ cause: expect.objectContaining({ message: 'unreachable' }) });
    const later = await thread.close().catch((reason: unknown) => reason);
    for (const reason of [waiting, later]) {
      expect(reason).toBeInstanceOf(EmbeddedDatabaseEndedError);
      expect(reason).toMatchObject({ next: expect.stringContaining('restart Notif') });
    }
  });

  test('reports PostgreSQL’s last error and stops the thread, which would otherwise spin', async () => {
    const panicking = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => { parentPort.postMessage({ panic: 'PANIC:  no space left' }); for (;;); });`;
    const thread = startThread(file(panicking));
    const waiting = await thread.open('/nowhere').catch((reason: unknown) => reason);
    expect(waiting).toMatchObject({ cause: expect.objectContaining({ message: 'PANIC:  no space left' }) });
    expect(await thread.died).toBe(waiting);
    await thread.end();
  });

  test("doesn't count as dead if it was asked to end", async () => {
    const thread = startThread(file(unreachable));
    await thread.end();
    expect(await Promise.race([thread.died, Promise.resolve('alive till then')])).toBe('alive till then');
  });

  test('reports an exit of its file without an error', async () => {
    const thread = startThread(new URL('data:text/javascript,'));
    const waiting = await thread.open('/nowhere').catch((reason: unknown) => reason);
    expect(waiting).toMatchObject({ cause: expect.objectContaining({ message: expect.stringContaining('code 0') }) });
  });
});
