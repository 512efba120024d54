import { setTimeout as wait } from 'node:timers/promises';

/** Never rejects: the signal's abort, which is all that could, ends it early. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}

export type Sleep = typeof sleep;

export interface Timer {
  /** Milliseconds. */
  ticks(): number;
  sleep: Sleep;
}

/** No clock that somebody can set. */
export const realTimer: Timer = { ticks: () => performance.now(), sleep };

/** A later error of the answer goes nowhere. */
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

export function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}
