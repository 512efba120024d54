import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/store/database/database.ts';
import { createEngine } from '../../src/store/database/embedded/engine.ts';
import { failureOf } from '../../src/store/database/embedded/protocol.ts';
import type { DatabaseThread } from '../../src/store/database/embedded/thread.ts';
import { openEmbedded } from '../../src/store/database/embedded.ts';
import { StatementError } from '../../src/store/database/errors.ts';

/**
 * Runs the embedded database on this thread: a simulation has nothing else to do during a statement, and a message to a thread and back
 * costs more than most statements.
 */
function startHere(): DatabaseThread {
  const engine = createEngine((reason) => {
    throw new Error(reason);
  });
  let isRunning = true;
  return {
    async ask(request) {
      try {
        return await engine(request);
      } catch (error) {
        throw new StatementError(failureOf(error));
      }
    },
    isRunning: () => isRunning,
    died: new Promise(() => {}),
    async end() {
      isRunning = false;
    },
  };
}

/** Opens a new embedded database on this thread. `close` removes its files. */
export async function openHere(): Promise<{ database: Database; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-simulation-'));
  const database = await openEmbedded(folder, { start: startHere });
  // Tables are small here: planning takes longer than what is planned.
  await database.executeSql('SET plan_cache_mode = force_generic_plan; SET synchronous_commit = off; SET jit = off');
  return {
    database,
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
