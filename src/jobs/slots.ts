export interface Slots {
  stop(): void;
}

/** A slot that isn't taken at its beginning is tried again so often, at intervals of this share of it. */
const MORE_TRIES = 3;
const SHARE = 1 / 60;
const SHORTEST_PAUSE_MS = 1_000;

/**
 * Calls `take` at the beginning of each slot of `everyMs`, counted from the epoch as pg-boss counts them. `take` returns whether it took
 * the slot. False means that another replica did, or that the database's clock is behind this one's and its slot hasn't begun: then it's
 * tried a few times more, some seconds apart.
 */
export function startSlots(everyMs: number, take: () => Promise<boolean>): Slots {
  const pauseMs = Math.max(SHORTEST_PAUSE_MS, everyMs * SHARE);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(afterMs: number, moreTries: number): void {
    if (isStopped) return;
    timer = setTimeout(async () => {
      const isTaken = await take();
      const untilNext = untilNextSlot(everyMs, Date.now());
      if (isTaken || moreTries === 0 || pauseMs >= untilNext) schedule(untilNext, MORE_TRIES);
      else schedule(pauseMs, moreTries - 1);
    }, afterMs);
  }

  schedule(untilNextSlot(everyMs, Date.now()), MORE_TRIES);
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** A timer may fire a millisecond early, in the slot before. */
const LATE_ENOUGH_MS = 5;

/** Milliseconds from `now` to just after the beginning of the next slot. */
function untilNextSlot(everyMs: number, now: number): number {
  return everyMs - (now % everyMs) + LATE_ENOUGH_MS;
}
