import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from './command-line.ts';
import type { Config } from './config.ts';
import { silent } from './lib/logger.testing.ts';

test.for([
  [['move'], { kind: 'server', url: 'postgres://127.0.0.1:1/notif' }],
  [['erase', '--subscriber', 'anna'], null],
] as const)('%j makes no new database in a folder that has none', async ([args, server]) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const config = { dataDir, database: server ?? { kind: 'embedded', folder: dataDir } } as Config;
  await expect(runCommand(args, config, silent)).rejects.toThrow('has no database of Notif: check NOTIF_DATA_DIR');
  expect(await readdir(dataDir)).toEqual([]);
});
