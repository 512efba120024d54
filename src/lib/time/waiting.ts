import { setTimeout as wait } from 'node:timers/promises';

/** Never rejects: an abort ends it early. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}

export type Sleep = typeof sleep;

export interface Timer {
  /** Milliseconds by a clock that nobody can set. */
  ticks(): number;
  sleep: Sleep;
}

export const realTimer: Timer = { ticks: () => performance.now(), sleep };

/** Returns `instead` if the answer takes longer, whatever comes of it then. */
export async function inTime<Answer, Other>(
  answer: Promise<Answer>,
  ms: number,
  instead: Other,
  sleepFor: Sleep = sleep,
): Promise<Answer | Other> {
  const answered = new AbortController();
  try {
    return await Promise.race([answer, sleepFor(ms, answered.signal).then(() => instead)]);
  } finally {
    answered.abort();
  }
}

/** Returns the pause after so many tries: each is twice as long as the one before. */
export function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}

interface Abort {
  signal: AbortSignal;
  /** Ends the wait for it. */
  cancel(): void;
}

/** Aborts after a time, or with another signal. Node 20's `AbortSignal.any` leaks while one of its signals lives. */
export function abortAfter(ms: number, other: AbortSignal | undefined, reason?: Error): Abort {
  const controller = new AbortController();
  const abort = () => controller.abort(other?.reason);
  const timer = setTimeout(() => controller.abort(reason), ms);
  other?.addEventListener('abort', abort);
  if (other?.aborted) abort();
  const cancel = () => {
    clearTimeout(timer);
    other?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, cancel };
}
