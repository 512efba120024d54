/** A run never begins earlier than this after the one before. */
const SHORTEST_PAUSE_MS = 1_000;

/** A run that is this late finds what is due, also where the database took a moment to say when the lease of a claim ends. */
const LATE_ENOUGH_MS = 50;

export interface DueTimer {
  /** Asks when the next thing is due, and has the job run then. Rejects where that can't be found out. */
  set(): Promise<void>;
  /** A run has ended: sets the timer for what it has left behind. */
  setAfterRun(): Promise<void>;
}

export interface DueTimerParts {
  /** When the next thing is due, by the clock of `now`; null where nothing is. */
  nextDueAt(now: Date): Promise<Date | null>;
  /** Has the job run at once. Never rejects. */
  wake(): Promise<void>;
  /** The job's slots: what is due later than that is left to them, in milliseconds. */
  readonly everyMs: number;
  readonly now: () => Date;
  /** Aborted, it wakes nothing. */
  readonly signal: AbortSignal;
}

/** Runs a job in this process when something is due, between its slots. Keeps no process alive. */
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

/** Milliseconds to wait; null where nothing is due before the job's next slot. */
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
