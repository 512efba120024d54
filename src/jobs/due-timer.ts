/** The minimum time between the starts of two runs. */
const SHORTEST_PAUSE_MS = 1_000;

/** The delay that makes sure a run finds what is due, even if the database took a moment to compute when a claim's lease ends. */
const LATE_ENOUGH_MS = 50;

export type DueTimer = ReturnType<typeof createDueTimer>;

/** Wakes a job when something is due between its slots. The timer doesn't keep the process alive. */
export function createDueTimer(parts: {
  /** By the clock of `now`. Null if nothing is due. */
  nextDueAt(now: Date): Promise<Date | null>;
  wake(): Promise<void>;
  readonly everyMs: number;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}) {
  const { nextDueAt, wake, everyMs, now, signal } = parts;
  let timer: NodeJS.Timeout | undefined;
  let ranAt: Date | null = null;
  signal.addEventListener('abort', () => clearTimeout(timer));

  async function set(): Promise<void> {
    const dueAt = await nextDueAt(now());
    clearTimeout(timer);
    const waitMs = dueAt && waitUntilDue(dueAt, ranAt, now());
    if (waitMs === null || waitMs >= everyMs || signal.aborted) return;
    timer = setTimeout(() => void wake(), waitMs).unref();
  }

  return {
    set,
    setAfterRun(): Promise<void> {
      ranAt = now();
      return set();
    },
  };
}

export function waitUntilDue(dueAt: Date, ranAt: Date | null, now: Date): number {
  const restMs = ranAt === null ? 0 : ranAt.getTime() + SHORTEST_PAUSE_MS - now.getTime();
  const untilDueMs = dueAt.getTime() - now.getTime();
  return Math.max(0, untilDueMs > 0 ? untilDueMs + LATE_ENOUGH_MS : 0, Math.min(restMs, SHORTEST_PAUSE_MS));
}
