import { setTimeout as wait } from 'node:timers/promises';

export interface Worker {
  /** Looks for work now, or right after the current piece. */
  wake(): void;
  /** Stops after the current piece. */
  stop(): Promise<void>;
}

/** Does one piece of work at a time: at once, whenever it's woken, and, if given, `lookEveryMs` after the last one. */
export function startWorker(work: () => Promise<void>, lookEveryMs?: number): Worker {
  let isStopping = false;
  let bell = new AbortController();

  async function loop(): Promise<void> {
    while (!isStopping) {
      const { signal } = bell;
      await work();
      // A wake-up ends the wait, even one that came during the work.
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
