import { setTimeout as wait } from 'node:timers/promises';

/** Never rejects: an abort ends it early. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}

export type Sleep = typeof sleep;

export interface Timer {
  ticks(): number;
  sleep: Sleep;
}

/** Nobody can set this clock. */
export const realTimer: Timer = { ticks: () => performance.now(), sleep };

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
