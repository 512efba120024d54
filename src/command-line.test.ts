import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordEntry } from './audit/audit.ts';
import { runCommandLine } from './command-line.ts';
import type { Config } from './config.ts';
import { heard, silent } from './lib/logger.testing.ts';
import { boundedId, stored } from './lib/text/shown-id.ts';
import { openDb } from './store/open.ts';
import { newDatabase, newStoreFolder } from './store/store.testing.ts';

test.for([
  [['move'], { kind: 'server', url: 'postgres://127.0.0.1:1/notif' }],
  [['erase', '--subscriber', 'anna'], null],
] as const)('%j makes no new database in a folder that has none', async ([args, server]) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const config = { dataDir, database: server ?? { kind: 'embedded', folder: dataDir } } as Config;
  await expect(runCommandLine(args, config, silent)).rejects.toThrow('has no database of Notif: check NOTIF_DATA_DIR');
  expect(await readdir(dataDir)).toEqual([]);
});

test('move marks the folder, which a start without the server then refuses', async () => {
  const folder = await newStoreFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = { dataDir: folder, database: { kind: 'server', url: await newDatabase() } } as Config;
  await runCommandLine(['move'], config, silent);
  const start = () => openDb({ kind: 'embedded', folder }, { logger: silent });
  await expect(start()).rejects.toThrow('was moved to a server: set DATABASE_URL, or delete moved-to-a-server there');
  await rm(join(folder, 'moved-to-a-server'));
  await (await start()).close();
});

test('erase takes one ID, in quotes if it has spaces, says what it left, and leaves no trace in the files', async () => {
  const dataDir = await newStoreFolder();
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const config = { dataDir, database: { kind: 'embedded', folder: dataDir }, horizonHours: 72 } as Config;
  const { logger, lines } = heard();
  const erase = (...typed: string[]) => runCommandLine(['erase', '--subscriber', ...typed], config, logger);
  for (const typed of [[], [''], [' '], ['user', '45']])
    await expect(erase(...typed)).rejects.toThrow("erase --subscriber '<ID>'");
  const holder = { at: new Date(), actor: 'U1', channel: null, environment: 'user-46', intentId: null };
  const store = await openDb(config.database, { logger: silent });
  const incident = { number: 1, channel: boundedId('sms'), provider: null };
  const note = stored({ action: 'noted', text: boundedId('USER-46 called'), incident });
  await recordEntry(store.db, { ...holder, change: note, outcome: { is: 'done' } });
  await store.close();
  await erase('user-46');
  for (const file of await readdir(dataDir, { recursive: true, withFileTypes: true }))
    if (file.isFile()) expect(`${await readFile(join(file.parentPath, file.name))}`).not.toContain('USER-46');
  expect(lines()).toEqual([
    expect.stringMatching(/^The ID is left .* other capitals.*{"left":{"audit.environment":1}}$/),
    expect.stringMatching(/^Erased: .*{"rows":1}$/),
  ]);
});
