import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newDataFolder } from '../../store.testing.ts';
import { checkpointIfBehind } from './checkpoints.ts';

let dataDir: string;
let pglite: PGlite;
beforeAll(async () => {
  dataDir = await newDataFolder();
  pglite = await PGlite.create(join(dataDir, 'postgres'));
  await pglite.exec('CREATE TABLE notes (text text)');
});
afterAll(async () => {
  await pglite.close();
  await rm(dataDir, { recursive: true, force: true });
});

const lastCheckpoint = async (): Promise<string> => {
  const { rows } = await pglite.query('SELECT redo_lsn::text AS at FROM pg_control_checkpoint()');
  return z.object({ at: z.string() }).parse(rows[0]).at;
};

test('a checkpoint is made only once enough was written', async () => {
  const first = await lastCheckpoint();
  await pglite.query("INSERT INTO notes SELECT repeat('x', 1000) FROM generate_series(1, 1000)");
  await checkpointIfBehind(pglite, 100 * 2 ** 20);
  expect(await lastCheckpoint()).toBe(first);
  await checkpointIfBehind(pglite, 2 ** 19);
  expect(await lastCheckpoint()).not.toBe(first);
});
