import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configuredWatch } from '../../watches/watches.testing.ts';
import { watches } from '../../watches/watches.ts';
import { newStoreFolder, silent } from '../store.testing.ts';
import { openStore, type Store } from '../store.ts';
import { DataFolderUnusableError } from './errors.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await newStoreFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = (): Promise<Store> => openStore({ database: { kind: 'embedded', folder: dataDir }, logger: silent });

test('opens again after closing, and can be closed twice', async () => {
  const first = await open();
  expect(first.isOpen()).toBe(true);
  await configuredWatch(first.database, 'C1', new Date());
  await first.close();
  await first.close();
  expect(first.isOpen()).toBe(false);
  const second = await open();
  expect(await watches(second.database)).toMatchObject([{ channel: 'C1' }]);
  await second.close();
});

test('makes a database on a new volume, also after an interrupted first start, and says so once', async () => {
  await mkdir(join(dataDir, 'lost+found'));
  await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres-unfinished'));
  await rm(join(dataDir, 'postgres-unfinished', 'PG_VERSION'));
  const logged: string[] = [];
  const logger = { ...silent, info: (_: object, sentence: string) => void logged.push(sentence) };
  const openLogging = () => openStore({ database: { kind: 'embedded', folder: dataDir }, logger });
  const store = await openLogging();
  expect(await watches(store.database)).toEqual([]);
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

test('reports damaged files, what to do, and why PostgreSQL panics', async () => {
  await writeFile(join(dataDir, 'postgres', 'global/pg_control'), 'damaged');
  const error = await open().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataFolderUnusableError);
  expect(error).toMatchObject({ next: expect.stringMatching(/^restore it from a backup, or move it away: /) });
  expect(causesOf(error)).toContainEqual(expect.stringMatching(/PANIC: .*pg_control/));
});

test('reports what to set when the data folder would be within a file', async () => {
  await writeFile(join(dataDir, 'a-file'), '');
  const error = await openStore({
    database: { kind: 'embedded', folder: join(dataDir, 'a-file/data') },
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
