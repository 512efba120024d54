import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silent } from '../lib/logger.testing.ts';
import { backUpFiles, databaseIn, hasDatabase, lockFolder } from './data-folder.ts';
import { StoreUnusableError } from './errors.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a data folder refuses a second locker, naming the folder and the fix, until it is released', async () => {
  const unlock = await lockFolder(folder);
  const refused = await lockFolder(folder).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnusableError);
  expect(String(refused)).toContain(folder);
  expect(String(refused)).toContain('NOTIF_DATA_DIR');
  await unlock();
  await (await lockFolder(folder))();
});

test('a data folder is not taken for free where its lock cannot be checked', async () => {
  await symlink('lock.sock', join(folder, 'lock.sock'));
  await expect(lockFolder(folder)).rejects.toThrow("can't be made or locked");
});

test('a data folder lets one of many starting processes take over from a dead one', async () => {
  await leaveDeadSocket(join(folder, 'lock.sock'));
  const starters = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
  const locks = starters.flatMap((starter) => (starter.status === 'fulfilled' ? [starter.value] : []));
  expect(locks).toHaveLength(1);
  await Promise.all(locks.map((unlock) => unlock()));
});

test('a data folder says what to set where its path is too long for a socket, or within a file', async () => {
  await writeFile(join(folder, 'a-file'), '');
  for (const place of [join(folder, 'x'.repeat(100)), join(folder, 'a-file/data')])
    await expect(lockFolder(place)).rejects.toThrow(/set NOTIF_DATA_DIR to a local folder with a short path/);
});

test('a data folder gets a database on a new volume, also after an interrupted first start, which is said once', async () => {
  for (const name of ['lost+found', 'postgres-unfinished/half']) await mkdir(join(folder, name), { recursive: true });
  const logged: string[] = [];
  const logger = { ...silent, info: (_: object, sentence: string) => void logged.push(sentence) };
  const make = async (files: string) => {
    await mkdir(files);
    await writeFile(join(files, 'PG_VERSION'), '');
  };
  for (const _ of [1, 2]) await databaseIn(folder, logger, make);
  expect(await readdir(join(folder, 'postgres'))).toEqual(['PG_VERSION']);
  expect((await stat(join(folder, 'postgres'))).mode & 0o777).toBe(0o700);
  expect(logged).toEqual(['New database made']);
});

test('a data folder is not said to have no database where nobody can know', async () => {
  await symlink('postgres', join(folder, 'postgres'));
  expect(() => hasDatabase(folder)).toThrow('ELOOP');
});

test('a data folder keeps the backup before, and nothing unfinished, when a backup fails', async () => {
  await mkdir(join(folder, 'postgres'));
  const backup = await backUpFiles(folder);
  // A socket can't be copied.
  await leaveDeadSocket(join(folder, 'postgres/socket'));
  await expect(backUpFiles(folder)).rejects.toThrow('socket');
  expect(await readdir(folder)).toEqual(['backup', 'postgres']);
  expect(await readdir(backup)).toEqual([]);
});

/** Creates a socket's file without a listener, as left in the folder by a killed process. */
async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.listening`, resolve));
  await rename(`${path}.listening`, path);
  await new Promise((resolve) => server.close(resolve));
}
