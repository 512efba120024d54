import { setImmediate } from 'node:timers/promises';

/** Work that may pause at each `yield`. */
export type Work<Result> = Generator<void, Result>;

const TURN_MS = 10;

export function atOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Other work gets a turn every TURN_MS: an acknowledgment can't wait for a page of large events. */
export async function withPauses<Result>(work: Work<Result>): Promise<Result> {
  const pause = pauses();
  for (;;) {
    await pause();
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Returns what to await between two pieces of work: it pauses if the last pause was TURN_MS ago. */
export function pauses(): () => Promise<void> {
  let resumedAt = performance.now();
  return async () => {
    if (performance.now() - resumedAt < TURN_MS) return;
    await setImmediate();
    resumedAt = performance.now();
  };
}

/** Gives other work a turn before each piece. */
export async function* inPieces<Item>(items: readonly Item[], most: number): AsyncGenerator<readonly Item[]> {
  for (let first = 0; first < items.length; first += most) {
    await setImmediate();
    yield items.slice(first, first + most);
  }
}
