import { createEngine } from '../../src/store/embedded/engine.ts';
import { failureOf } from '../../src/store/embedded/protocol.ts';
import type { DatabaseThread } from '../../src/store/embedded/thread.ts';
import { StatementError } from '../../src/store/errors.ts';

/**
 * The embedded database on this thread: a simulation has nothing else to do while a statement runs, and a message to a thread and back
 * costs more than most statements.
 */
export function startHere(): DatabaseThread {
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
