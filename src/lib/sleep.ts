import { setTimeout as wait } from 'node:timers/promises';

/** Waits, and resolves early without an error when the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
