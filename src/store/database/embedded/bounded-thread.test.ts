import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreTroubleError } from '../../../domain/health/store-trouble.ts';
import { newDataFolder } from '../../store.testing.ts';
import { boundedThread } from './bounded-thread.ts';
import { type DatabaseThread, startThread } from './thread.ts';

const SLOW = 'SELECT count(*) FROM generate_series(1, 3e5)';

describe('a request to the thread of the embedded database', () => {
  let dataDir: string;
  let thread: DatabaseThread;
  beforeAll(async () => {
    dataDir = await newDataFolder();
    thread = startThread();
    await thread.ask({ kind: 'open', dataDir });
  });
  afterAll(async () => {
    await thread.end();
    await rm(dataDir, { recursive: true, force: true });
  });

  const query = (text: string, transaction: number | null = null) =>
    ({ kind: 'query', text, values: [], transaction }) as const;

  test('rejects with the reason and the next step after its bound, and later requests are answered', async () => {
    const late = await boundedThread(thread, 20)
      .ask(query(SLOW))
      .catch((reason: unknown) => reason);
    expect(late).toBeInstanceOf(StoreTroubleError);
    expect(late).toMatchObject({ trouble: 'not-answering', next: expect.stringContaining('Try again') });
    expect((await thread.ask(query('SELECT 1 AS one'))).rows).toEqual([{ one: 1 }]);
  });

  test('leaves a transaction whose turn comes after its bound, so that the next one gets its own', async () => {
    await thread.ask({ kind: 'enter', transaction: 1 });
    const hurried = boundedThread(thread, 20);
    await expect(hurried.ask({ kind: 'enter', transaction: 2 })).rejects.toThrow(StoreTroubleError);
    await thread.ask({ kind: 'leave', transaction: 1, outcome: 'commit' });
    await thread.ask({ kind: 'enter', transaction: 3 });
    expect((await thread.ask(query('SELECT 1 AS one', 3))).rows).toEqual([{ one: 1 }]);
    await thread.ask({ kind: 'leave', transaction: 3, outcome: 'commit' });
  });
});
