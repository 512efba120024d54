import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/store/database/database.ts';
import { createEngine } from '../../src/store/database/embedded/engine.ts';
import { type DatabaseThread, threadOn } from '../../src/store/database/embedded/thread.ts';
import { openEmbedded } from '../../src/store/database/embedded.ts';

/**
 * Runs the embedded database on this thread: a simulation has nothing else to do during a statement, and a message to a thread and back
 * costs more than most statements.
 */
function startHere(): DatabaseThread {
  const worker = new EventEmitter();
  const engine = createEngine((message) => worker.emit('message', message));
  return threadOn(Object.assign(worker, { postMessage: engine, terminate: async () => 0 }) as never);
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
