import fs from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { heard, silent } from '../lib/logger.testing.ts';
import { StoreUnusableError } from './errors.ts';
import { type OpenDb, openDb } from './open.ts';
import { newStoreFolder } from './store.testing.ts';
import { kv } from './tables.ts';
import { storeTrouble } from './trouble.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await newStoreFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = (logger = silent, onLost?: (reason: Error) => void): Promise<OpenDb> =>
  openDb({ kind: 'embedded', folder: dataDir }, { logger, ...(onLost && { onLost }) });

/** A disk in trouble, as far as this thread writes to it. */
function breakableDisk(): { error: string | null } {
  const disk: { error: string | null } = { error: null };
  const { writeSync } = fs;
  fs.writeSync = ((...given: Parameters<typeof writeSync>) => {
    if (disk.error !== null) throw Object.assign(new Error('injected'), { code: disk.error });
    return writeSync(...given);
  }) as typeof writeSync;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  });
  return disk;
}

test('an embedded database is backed up while it is used, into a folder that opens instead of it', async () => {
  const { db, backUp, close } = await open();
  await db.write("INSERT INTO kv (key, value) VALUES ('before', '1')");
  const writes = db.write("INSERT INTO kv (key, value) SELECT n, '1' FROM generate_series(1, 5000) n");
  const backups = [await backUp?.(), await backUp?.()];
  await writes;
  await db.write("INSERT INTO kv (key, value) VALUES ('after', '1')");
  await close();
  expect(await storeTrouble(db)).toBe('not-answering');
  expect(backups).toEqual([join(dataDir, 'backup'), join(dataDir, 'backup')]);
  await rm(join(dataDir, 'postgres'), { recursive: true });
  await expect(open()).rejects.toThrow('restore it from a backup');
  await rename(join(dataDir, 'backup'), join(dataDir, 'postgres'));
  const restored = await open();
  expect(await restored.db.$count(kv, inArray(kv.key, ['before', '5000', 'after']))).toBe(2);
  await restored.close();
});

test('an embedded database lets other work go on between statements, and makes a checkpoint now and then', async () => {
  const { db, close } = await open();
  let worked = 0;
  const timer = setInterval(() => (worked += 1), 1);
  const last = () => db.rows(z.unknown(), 'SELECT redo_lsn::text FROM pg_control_checkpoint()');
  const first = await last();
  await db.transaction(async (tx) => {
    for (let count = 0; count < 2_000; count += 1) await tx.write('SELECT');
  });
  clearInterval(timer);
  expect(worked).toBeGreaterThan(5);
  expect(await last(), 'little is replayed after a kill').not.toEqual(first);
  await close();
});

test('an embedded database reclaims the space of deleted rows, unless that is cut off', async () => {
  const { db, vacuum, close } = await open();
  await db.write("INSERT INTO kv SELECT n, to_jsonb(repeat('x', 1000)) FROM generate_series(1, 2000) n");
  await db.write('DELETE FROM kv');
  const Size = z.object({ size: z.number() });
  const sizeAfter = (vacuumed: Promise<void>) =>
    vacuumed.then(() => db.rows(Size, "SELECT pg_relation_size('kv')::integer AS size"));
  expect(await sizeAfter(vacuum(AbortSignal.abort()))).not.toEqual([{ size: 0 }]);
  expect(await sizeAfter(vacuum())).toEqual([{ size: 0 }]);
  await close();
});

test('an embedded database ends with the reason when its disk is full, also at the next start, and keeps what was committed', async () => {
  const disk = breakableDisk();
  const lost: string[] = [];
  const { db, close } = await open(silent, ({ cause }) => lost.push(String(cause)));
  await db.write("INSERT INTO kv (key, value) VALUES ('committed', '1')");
  disk.error = 'ENOSPC';
  const writes = db.write(
    "INSERT INTO kv (key, value) SELECT n, to_jsonb(repeat('x', 1000)) FROM generate_series(1, 1000) n",
  );
  await expect(writes).rejects.toMatchObject({ trouble: 'read-only' });
  // A table that can't grow only rejects a write; a log that can't grow makes PostgreSQL panic.
  await expect(db.write('SELECT pg_switch_wal()')).rejects.toThrow();
  expect(lost).toEqual([expect.stringMatching(/PANIC: .*No space left on device/)]);
  expect(await storeTrouble(db)).toBe('damaged');
  await close();
  expect(await open().catch((reason: unknown) => reason)).toMatchObject({
    name: 'StoreUnusableError',
    message: expect.stringMatching(
      /No space left on device.*: free up at least 64 MB there, .*: nothing that was recorded is lost$/,
    ),
  });
  disk.error = null;
  const again = await open();
  expect(await again.db.select().from(kv).where(eq(kv.key, 'committed'))).toMatchObject([{ value: 1 }]);
  await again.close();
});

test('an embedded database that is lost during a backup says so with the next statement', async () => {
  const disk = breakableDisk();
  const lost: Error[] = [];
  const { db, backUp, close } = await open(silent, (reason) => lost.push(reason));
  await db.write("INSERT INTO kv (key, value) VALUES ('committed', '1')");
  disk.error = 'ENOSPC';
  await expect(backUp?.()).rejects.toThrow();
  await expect(db.select().from(kv)).rejects.toThrow();
  expect(lost).not.toEqual([]);
  await close();
});

test('an embedded database whose files are of another user is not called damaged', async () => {
  breakableDisk().error = 'EACCES';
  await expect(open()).rejects.toThrow(/permission denied.*: give it to the user who runs Notif/i);
});

test.each([
  [
    "is opened with a warning when it's on a file system without permissions",
    'EPERM',
    null,
    /^File system of the data folder has no permissions/,
  ],
  ["isn't opened when it's another user's", 'EPERM', 12_345, /EPERM.*: give it to the user who runs Notif/],
  ["isn't opened when its files can't be closed to others", 'EIO', null, /EIO/],
])('an embedded database %s', async (_, code, uid, outcome) => {
  const { chmod } = fs.promises;
  fs.promises.chmod = () => Promise.reject(Object.assign(new Error(`${code}: injected`), { code }));
  const getuid = vi.spyOn(process, 'getuid');
  if (uid !== null) getuid.mockReturnValue(uid);
  syncBuiltinESMExports();
  onTestFinished(() => {
    getuid.mockRestore();
    fs.promises.chmod = chmod;
    syncBuiltinESMExports();
  });
  const { logger, sentences } = heard();
  const opened = open(logger).then(({ close }) => close().then(() => sentences().join()), String);
  expect(await opened).toMatch(outcome);
});

test.each([
  ['is not complete', 'postgres'],
  ['has another name', 'photos'],
])('a data folder is refused and left as it was when its database %s', async (_, name) => {
  await rename(join(dataDir, 'postgres'), join(dataDir, name));
  await rm(join(dataDir, name, 'PG_VERSION'));
  await expect(open()).rejects.toThrow(/no complete database: restore .* or set NOTIF_DATA_DIR to an empty folder/);
  expect(await readdir(dataDir)).toEqual([name]);
  expect(await readdir(join(dataDir, name))).not.toContain('PG_VERSION');
});

test('an embedded database opens after a power cut that emptied the file of its process', async () => {
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
  await (await open()).close();
});

test('an embedded database reports damaged files, what to do, and why PostgreSQL panics', async () => {
  await writeFile(join(dataDir, 'postgres', 'global/pg_control'), 'damaged');
  const error = await open().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreUnusableError);
  expect(String(error)).toMatch(/PANIC: .*pg_control.*: restore it from a backup, or /);
});
