import { setTimeout as wait } from 'node:timers/promises';

export interface Worker {
  /** Looks for work now, or right after the present piece. */
  wake(): void;
  /** Ends after the present piece. */
  stop(): Promise<void>;
}

/**
 * Does a piece of work, if there is one, at once and whenever it's woken, one after the other. Without being woken it looks after
 * `lookEveryMs`, or never where that isn't given.
 */
export function startWorker(work: () => Promise<void>, lookEveryMs?: number): Worker {
  let isStopping = false;
  let bell = new AbortController();

  async function loop(): Promise<void> {
    while (!isStopping) {
      const { signal } = bell;
      await work();
      // Being woken ends the wait, also where that was during the work.
      if (lookEveryMs === undefined) await abortOf(signal);
      else await wait(lookEveryMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) bell = new AbortController();
    }
  }

  const ended = loop();
  const wake = (): void => bell.abort();
  return {
    wake,
    stop: () => {
      isStopping = true;
      wake();
      return ended;
    },
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}
