import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newStoreFolder, silent } from '../store.testing.ts';
import { openStore, type Store } from '../store.ts';
import { type DatabaseThread, startThread } from './embedded/thread.ts';
import { openEmbedded } from './embedded.ts';
import { DataFolderLockedError, DataFolderUnusableError, EmbeddedDatabaseEndedError } from './errors.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await newStoreFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = (): Promise<Store> => openStore({ database: { kind: 'embedded', folder: dataDir }, logger: silent });

test('opens again after closing, and can be closed twice', async () => {
  const first = await open();
  expect(first.isOpen()).toBe(true);
  await first.watches.ensureWatch('C1', new Date());
  await first.close();
  await first.close();
  expect(first.isOpen()).toBe(false);
  const second = await open();
  expect(await second.watches.watches()).toMatchObject([{ channel: 'C1' }]);
  await second.close();
});

test("isn't open after its thread ends midway, and frees its folder once it is closed", async () => {
  const threads: DatabaseThread[] = [];
  const start = () => {
    const thread = startThread();
    threads.push(thread);
    return thread;
  };
  const database = await openEmbedded(dataDir, { start });
  const endless = database.executeSql('SELECT count(*) FROM generate_series(1, 1e12)');
  const transaction = database.withTransaction((sql) => sql.write('SELECT 1'));
  await Promise.all([
    expect(endless).rejects.toThrow(EmbeddedDatabaseEndedError),
    expect(transaction).rejects.toThrow(EmbeddedDatabaseEndedError),
    ...threads.map((thread) => thread.end()),
  ]);
  expect(database.isOpen()).toBe(false);
  await expect(open()).rejects.toThrow(DataFolderLockedError);
  await database.close();
  await (await open()).close();
});

test('makes a database on a new volume, also after an interrupted first start, and says so once', async () => {
  await mkdir(join(dataDir, 'lost+found'));
  await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres-unfinished'));
  await rm(join(dataDir, 'postgres-unfinished', 'PG_VERSION'));
  const logged: string[] = [];
  const logger = { ...silent, info: (_: object, sentence: string) => void logged.push(sentence) };
  const openLogging = () => openStore({ database: { kind: 'embedded', folder: dataDir }, logger });
  const store = await openLogging();
  expect(await store.watches.watches()).toEqual([]);
  expect(await modeOf(join(dataDir, 'postgres'))).toBe('700');
  await store.close();
  await (await openLogging()).close();
  expect(logged).toEqual([`New database made in ${dataDir}`]);
});

test.each<[string, string, RegExp]>([
  ['postgres/PG_VERSION is missing', 'postgres', /has database files that aren't complete: postgres\/PG_VERSION/],
  ['files of something else are in it', 'photos', /has files in it that aren't Notif's/],
])('refuses a data folder and leaves it as it was when %s', async (_, name, reason) => {
  await rename(join(dataDir, 'postgres'), join(dataDir, name));
  await rm(join(dataDir, name, 'PG_VERSION'));
  const error = await open().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DataFolderUnusableError);
  expect(String(error)).toMatch(reason);
  expect(error).toMatchObject({ next: expect.stringMatching(/restore .* or set NOTIF_DATA_DIR to an empty folder/) });
  expect(await readdir(dataDir)).toEqual([name]);
  expect(await readdir(join(dataDir, name))).not.toContain('PG_VERSION');
});

test("keeps other users of the machine out of the database's files, also of those made before", async () => {
  await chmod(join(dataDir, 'postgres'), 0o755);
  await (await open()).close();
  expect(await modeOf(join(dataDir, 'postgres'))).toBe('700');
});

test.each([
  ['panics', 'global/pg_control'],
  ['refuses to start', 'postgresql.conf'],
])('reports damaged files, what to do, and why PostgreSQL %s', async (_, damaged) => {
  await writeFile(join(dataDir, 'postgres', damaged), 'damaged');
  const error = await open().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataFolderUnusableError);
  expect(error).toMatchObject({ next: expect.stringMatching(/^restore it from a backup, or move it away: /) });
  expect(causesOf(error)).toContainEqual(expect.stringMatching(/(PANIC|FATAL): .*(pg_control|postgresql\.conf)/));
});

test.each([
  ['is a file', 'a-file'],
  ['would be within a file', 'a-file/data'],
  ['would be where the system lets nobody make one', '/proc/notif/data'],
])('reports what to set when the data folder %s', async (_, path) => {
  await writeFile(join(dataDir, 'a-file'), '');
  const error = await openStore({
    database: { kind: 'embedded', folder: resolve(dataDir, path) },
    logger: silent,
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataFolderUnusableError);
  expect(error).toMatchObject({ next: 'set NOTIF_DATA_DIR to a folder that Notif may write to' });
});

/** Returns a folder's permissions in octal digits. */
async function modeOf(folder: string): Promise<string> {
  return ((await stat(folder)).mode & 0o777).toString(8);
}

/** Returns the messages of an error's causes. */
function causesOf(error: unknown): string[] {
  return error instanceof Error && error.cause instanceof Error ? [error.cause.message, ...causesOf(error.cause)] : [];
}
