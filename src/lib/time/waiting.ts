import { setTimeout as wait } from 'node:timers/promises';

export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}

export type Sleep = typeof sleep;

/** A later error of the answer goes nowhere. */
export async function inTime<Answer, Other>(
  answer: Promise<Answer>,
  { ms, instead }: { ms: number; instead: Other },
  sleep: Sleep,
): Promise<Answer | Other> {
  const answered = new AbortController();
  try {
    return await Promise.race([answer, sleep(ms, answered.signal).then(() => instead)]);
  } finally {
    answered.abort();
  }
}

export function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}

/** Not if the clock was set back. */
export function isStillKept(since: number, keptMs: number, now: number): boolean {
  return now >= since && now < since + keptMs;
}
