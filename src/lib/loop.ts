import { isStoreAway } from './errors.ts';
import type { Logger } from './logger.ts';
import type { Timer } from './time/waiting.ts';

/** A run that was cut off is waited for so long, to end what is under way. */
export const GRACE_MS = 5_000;

/** Loops begin one after the other. */
const APART_MS = 20;

/** A loop without a success for three intervals, or for its time limit and an interval if that is longer. */
export interface BehindLoop {
  name: string;
  label: string;
}

/** A lost, doubled or aborted run only costs time. */
export interface Loop {
  name: string;
  /** What people call it when it's behind; null: they aren't told. */
  label: string | null;
  everyMs: number;
  timeLimitMs: number;
  /** Of several replicas, only one runs an environment's loop. */
  isOurs?: () => boolean;
  /** When something is due, which can be before the interval is over. */
  nextAt?: () => Promise<Date | null>;
  run(signal: AbortSignal): Promise<void>;
}

interface LoopsOptions {
  logger: Logger;
  now: () => Date;
  timer: Timer;
  count: (loop: string, isSuccess: boolean) => void;
}

export interface Loops {
  start(loops: readonly Loop[]): void;
  wake(name: string): Promise<void>;
  behind(): BehindLoop[];
  stop(): Promise<void>;
}

export function createLoops(options: LoopsOptions): Loops {
  const running = new Map<string, RunningLoop>();
  return {
    start: (loops: readonly Loop[]) => {
      for (const [index, loop] of loops.entries()) running.set(loop.name, keepRunning(loop, APART_MS * index, options));
    },
    wake: async (name: string) => running.get(name)?.wake(),
    behind: (): BehindLoop[] => [...running.values()].flatMap((loop) => loop.behind()),
    stop: async () => {
      await Promise.all([...running.values()].map((loop) => loop.stop()));
    },
  };
}

interface RunningLoop {
  wake(): void;
  stop(): Promise<void>;
  behind(): BehindLoop[];
}

function keepRunning(
  loop: Loop,
  firstInMs: number,
  { logger, now, timer: { ticks, sleep }, count }: LoopsOptions,
): RunningLoop {
  const { name, everyMs, timeLimitMs } = loop;
  let dueAt = ticks() + firstInMs;
  let lastFineAt = ticks();
  let isWoken = false;
  let isStopping = false;
  let wait = new AbortController();
  let control = new AbortController();

  function fail(fields: object, sentence: string) {
    count(name, false);
    logger.error({ loop: name, ...fields }, sentence);
  }

  async function runLogged(signal: AbortSignal) {
    try {
      await loop.run(signal);
      if (signal.aborted) return;
      lastFineAt = ticks();
      count(name, true);
      const nextAt = await loop.nextAt?.();
      if (nextAt) dueAt = Math.min(dueAt, ticks() + untilDue(nextAt, now()));
    } catch (err) {
      if (signal.aborted) return logger.info({ loop: name, err }, 'Loop cut off');
      if (!isStoreAway(err)) return fail({ err }, 'Loop failed');
      // Readiness names the database itself: a loop that waits for it isn't behind.
      lastFineAt = ticks();
      logger.warn({ loop: name, err }, 'Loop waits for the database');
    }
  }

  async function runOnce() {
    control = new AbortController();
    const { signal } = control;
    const graceOver = new Promise<void>((give) => signal.addEventListener('abort', () => setTimeout(give, GRACE_MS)));
    const timeLimit = setTimeout(() => {
      control.abort();
      fail({ seconds: timeLimitMs / 1_000 }, 'Loop timed out');
    }, timeLimitMs);
    await Promise.race([runLogged(signal), graceOver]);
    clearTimeout(timeLimit);
  }

  async function repeat() {
    while (!isStopping) {
      wait = new AbortController();
      await sleep(isWoken ? 0 : Math.max(0, dueAt - ticks()), wait.signal);
      const isOurs = isWoken || loop.isOurs?.() !== false;
      isWoken = false;
      dueAt = ticks() + everyMs;
      if (isOurs && !isStopping) await runOnce();
      else lastFineAt = ticks();
    }
  }

  const ended = repeat();
  return {
    wake: () => {
      isWoken = true;
      wait.abort();
    },
    stop: () => {
      isStopping = true;
      control.abort();
      wait.abort();
      return ended;
    },
    behind: () => {
      const isBehind = ticks() - lastFineAt > Math.max(3 * everyMs, timeLimitMs + everyMs);
      return isBehind && loop.label !== null ? [{ name, label: loop.label }] : [];
    },
  };
}

/** At least a second, so that nothing that stays due is tried without a pause. The margin lets a claim's lease end first. */
export const untilDue = (dueAt: Date, now: Date): number => Math.max(1_000, dueAt.getTime() - now.getTime() + 50);
