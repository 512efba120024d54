import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenDb, openDb } from '../../src/store/open.ts';
import { silent } from './silent.ts';

/** Opens a new embedded database. `close` removes its files. */
export async function openHere(): Promise<{ database: OpenDb; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-simulation-'));
  const database = await openDb({ kind: 'embedded', folder }, { logger: silent });
  for (const setting of ['synchronous_commit', 'jit']) await database.db.write(`SET ${setting} = off`);
  return {
    database,
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
