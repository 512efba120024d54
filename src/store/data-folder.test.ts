import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './data-folder.ts';
import { StoreUnusableError } from './errors.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('refuses a second locker, naming the folder and the fix', async () => {
  const lock = await lockFolder(folder);
  const refused = await lockFolder(folder).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnusableError);
  expect(String(refused)).toContain(folder);
  expect(String(refused)).toContain('NOTIF_DATA_DIR');
  await lock();
});

test('is not taken for free where its lock cannot be checked', async () => {
  await symlink('lock.sock', join(folder, 'lock.sock'));
  await expect(lockFolder(folder)).rejects.toThrow("can't be made or locked");
});

test('can be locked again after release', async () => {
  await (await lockFolder(folder))();
  await (await lockFolder(folder))();
});

test('lets one of many starting processes take over from a dead one', async () => {
  await leaveDeadSocket(join(folder, 'lock.sock'));
  const starters = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
  const locks = starters.flatMap((starter) => (starter.status === 'fulfilled' ? [starter.value] : []));
  expect(locks).toHaveLength(1);
  await Promise.all(locks.map((lock) => lock()));
});

test('rejects a socket path that is too long, which would be cut silently', async () => {
  const deep = join(folder, 'x'.repeat(100));
  await expect(lockFolder(deep)).rejects.toThrow(StoreUnusableError);
});

test("reports at once that it can't write to the folder, and what to do", async () => {
  const error = await lockFolder(await readOnlyFolder()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreUnusableError);
  expect(String(error)).toContain('set NOTIF_DATA_DIR');
}, 5_000);

/** Root ignores permissions, but nobody can create files in Linux's /proc. */
async function readOnlyFolder(): Promise<string> {
  if (process.platform === 'linux') return '/proc/self';
  await chmod(folder, 0o555);
  return folder;
}

/** Creates a socket's file without a listener, as left in the folder by a killed process. */
async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.listening`, resolve));
  await rename(`${path}.listening`, path);
  await new Promise((resolve) => server.close(resolve));
}
