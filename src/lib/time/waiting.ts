import { setTimeout as wait } from 'node:timers/promises';

export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}

export type Sleep = typeof sleep;

/** The answer is still awaited: its later error goes nowhere. Rejects with its earlier error. */
export async function inTime<Answer, Other>(
  answer: Promise<Answer>,
  { ms, instead }: { readonly ms: number; readonly instead: Other },
  sleep: Sleep,
): Promise<Answer | Other> {
  const answered = new AbortController();
  const late = sleep(ms, answered.signal).then(() => instead);
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}

export interface Pause {
  end(): number | null;
  leftMs(): number;
  /** Pauses for so long from now, and no shorter than before. */
  extend(ms: number): void;
}

export function createPause(now: () => number): Pause {
  let pause = { from: 0, until: 0 };
  const end = () => (now() >= pause.from && now() < pause.until ? pause.until : null);
  return {
    end,
    leftMs: () => Math.max(0, (end() ?? 0) - now()),
    extend: (ms) => {
      const from = now();
      pause = { from, until: Math.max(end() ?? 0, from + ms) };
    },
  };
}

export function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}

/** In milliseconds. It can't be used if the clock is set back to before `since`, by an unknown time. */
export function isStillKept(since: number, keptMs: number, now: number): boolean {
  return now >= since && now < since + keptMs;
}
