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
