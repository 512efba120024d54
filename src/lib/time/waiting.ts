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

export function createPause(now: () => number) {
  let pause = { from: 0, until: 0 };
  const end = (): number | null => (now() >= pause.from && now() < pause.until ? pause.until : null);
  return {
    end,
    leftMs: () => Math.max(0, (end() ?? 0) - now()),
    extend: (ms: number) => {
      pause = { from: now(), until: Math.max(end() ?? 0, now() + ms) };
    },
  };
}

export function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}

/** Not if the clock was set back. */
export function isStillKept(since: number, keptMs: number, now: number): boolean {
  return now >= since && now < since + keptMs;
}
