import { setTimeout as wait } from 'node:timers/promises';

export interface Worker {
  /** Looks for work now, or right after the present piece. */
  wake(): void;
  /** Ends after the present piece. */
  stop(): Promise<void>;
}

/** Does one piece of work after another; `work` says whether there was one. Without one it looks again when woken, or after a while. */
export function startWorker(work: () => Promise<boolean>, lookEveryMs: number): Worker {
  let isStopping = false;
  let bell = new AbortController();

  async function loop(): Promise<void> {
    while (!isStopping) {
      const { signal } = bell;
      const found = await work();
      // Being woken ends the wait.
      if (!found) await wait(lookEveryMs, undefined, { signal }).catch(() => {});
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
