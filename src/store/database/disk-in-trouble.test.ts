import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { planDigest } from '../../domain/alerting/digest.ts';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import { at, failureOf, NOON, recordFailures } from '../examples.testing.ts';
import { newStoreFolder, silent } from '../store.testing.ts';
import { openStore } from '../store.ts';
import type { Database } from './database.ts';
import { startInTrouble } from './embedded/in-trouble.testing.ts';
import { openEmbedded } from './embedded.ts';
import { DataFolderUnusableError } from './errors.ts';

const MB = 2 ** 20;
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

test.each([
  ['full', 'ENOSPC', 'No space left on device'],
  ['read-only', 'EROFS', 'Read-only file system'],
])('reports PostgreSQL’s last error when its disk is %s, and keeps what was committed', async (_, code, words) => {
  const database = await open();
  await database.executeSql('CREATE TABLE samples (text text)');
  await database.write("INSERT INTO samples VALUES ('committed')");
  await writeFile(trouble, code);
  await expect(fill(database)).rejects.toThrow();
  // A table that can't grow only rejects a write; a log that can't grow makes PostgreSQL panic.
  await database.write("INSERT INTO samples VALUES ('lost')").catch(() => {});
  expect(await database.died).toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining(words) }),
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
  const measure = async () => ({ freeBytes: 5 * MB, totalBytes: 1_000 * MB });
  const error = await openEmbedded(dataDir, { start, measure }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataFolderUnusableError);
  expect(error).toMatchObject({
    next: 'free up at least 32 MB there, then start Notif again: what was recorded is not lost',
  });
  await writeFile(trouble, '');
  await (await open()).close();
});

test('stores nothing new on an almost full disk, answers queries, and announces everything once when there is space', async () => {
  const space = { freeBytes: 1_000 * MB, totalBytes: 2_000 * MB };
  const logged: string[] = [];
  const log = (fields: object, sentence: string): void => {
    if ('trouble' in fields) logged.push(sentence);
  };
  const store = await openStore({
    database: { kind: 'embedded', folder: dataDir },
    logger: { ...silent, info: log, error: log },
    measure: async () => ({ ...space }),
    bounds: { lookMs: 20, lookAgainMs: 20 },
  });
  await store.watches.ensureWatch('C1', at(-1));
  await recordFailures(store, NOON, [failureOf('before')]);
  space.freeBytes = 50 * MB;
  await expect.poll(() => store.trouble()).toBe('disk-almost-full');
  await expect(recordFailures(store, at(1), [failureOf('meanwhile')])).rejects.toThrow(StoreTroubleError);
  await expect(store.operation.prune(at(1), 30)).rejects.toThrow(StoreTroubleError);
  expect(await store.watches.watches()).toHaveLength(1);
  space.freeBytes = 500 * MB;
  await expect.poll(() => store.trouble()).toBe(null);
  await recordFailures(store, at(1), [failureOf('meanwhile')]);
  const announce = () => store.alerting.announce('production', (unannounced) => planDigest(unannounced, at(1)), at(1));
  const [first = ''] = await announce();
  expect(await store.deliveries.digestRows(first, { offset: 0, limit: 9 }, at(1))).toMatchObject({ total: 2 });
  expect(await announce()).toEqual([]);
  expect(logged).toEqual(['store in trouble', 'store out of trouble']);
  await store.close();
});
