/** The minimum time between the starts of two runs. */
const SHORTEST_PAUSE_MS = 1_000;

/** The delay that makes sure a run finds what is due, even if the database took a moment to compute when a claim's lease ends. */
const LATE_ENOUGH_MS = 50;

export interface DueTimer {
  set(): Promise<void>;
  setAfterRun(): Promise<void>;
}

export interface DueTimerParts {
  /** By the clock of `now`. Null if nothing is due. */
  nextDueAt(now: Date): Promise<Date | null>;
  wake(): Promise<void>;
  readonly everyMs: number;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Runs a job when something is due between its slots. The timer doesn't keep the process alive. */
export function createDueTimer({ nextDueAt, wake, everyMs, now, signal }: DueTimerParts): DueTimer {
  let timer: NodeJS.Timeout | undefined;
  let ranAt: Date | null = null;
  signal.addEventListener('abort', () => clearTimeout(timer));

  async function set(): Promise<void> {
    const dueAt = await nextDueAt(now());
    clearTimeout(timer);
    const waitMs = waitUntilDue({ dueAt, ranAt, now: now(), everyMs });
    if (waitMs === null || signal.aborted) return;
    timer = setTimeout(() => void wake(), waitMs);
    timer.unref();
  }

  return {
    set,
    setAfterRun: () => {
      ranAt = now();
      return set();
    },
  };
}

/** Returns the milliseconds to wait. Null if nothing is due before the job's next slot. */
export function waitUntilDue({
  dueAt,
  ranAt,
  now,
  everyMs,
}: {
  readonly dueAt: Date | null;
  readonly ranAt: Date | null;
  readonly now: Date;
  readonly everyMs: number;
}): number | null {
  if (dueAt === null) return null;
  const restMs = ranAt === null ? 0 : ranAt.getTime() + SHORTEST_PAUSE_MS - now.getTime();
  const untilDueMs = dueAt.getTime() - now.getTime();
  const waitMs = Math.max(0, untilDueMs > 0 ? untilDueMs + LATE_ENOUGH_MS : 0, Math.min(restMs, SHORTEST_PAUSE_MS));
  return waitMs < everyMs ? waitMs : null;
}
