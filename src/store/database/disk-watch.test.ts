import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silent } from '../store.testing.ts';
import { measureDisk, RESERVE_BYTES, watchDisk } from './disk-watch.ts';

const MB = 2 ** 20;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-disk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const reserved = (): Promise<number> =>
  stat(join(folder, 'reserve')).then(
    ({ size }) => size,
    () => 0,
  );

test('measures the disk of a folder', async () => {
  const { freeBytes, totalBytes } = await measureDisk(folder);
  expect(freeBytes).toBeGreaterThan(0);
  expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
});

test('keeps a reserve while there is plenty of space, frees it when the disk fills up, and creates it again', async () => {
  const space = { freeBytes: 10_000 * MB, totalBytes: 20_000 * MB };
  const logged: string[] = [];
  const log = (fields: object, sentence: string): void => {
    expect(fields, "must leave the line's own level alone").not.toHaveProperty('level');
    logged.push(sentence);
  };
  const disk = watchDisk(folder, { ...silent, info: log, warn: log }, async () => ({ ...space }));
  expect((await disk.look())?.level).toBe('ample');
  await disk.look();
  expect(await reserved()).toBe(RESERVE_BYTES);
  space.freeBytes = 40 * MB;
  expect((await disk.look())?.level).toBe('critical');
  expect(await reserved()).toBe(RESERVE_BYTES);
  space.freeBytes = 10 * MB;
  await disk.look();
  expect(await reserved()).toBe(0);
  space.freeBytes = 10_000 * MB;
  expect((await disk.look())?.level).toBe('ample');
  expect(await reserved()).toBe(RESERVE_BYTES);
  expect(logged.map((sentence) => sentence.slice(0, 38))).toEqual([
    'disk of the data folder is short of ro',
    'disk of the data folder has room again',
  ]);
});

test("continues with its last result if the system doesn't say, and warns once", async () => {
  const logged: string[] = [];
  const warn = (_: object, sentence: string): void => void logged.push(sentence);
  const disk = watchDisk(folder, { ...silent, warn }, () => Promise.reject(new Error('not supported')));
  expect([await disk.look(), await disk.look(), disk.report()]).toEqual([null, null, null]);
  expect(logged).toEqual(['room on the disk of the data folder is unknown']);
});
