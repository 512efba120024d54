import { setTimeout as wait } from 'node:timers/promises';
import { isKnownTrouble } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import type { BackgroundJob } from './job.ts';

/** How long Notif waits for a job after its signal: a process that is asked to stop is usually killed after ten seconds. */
const GRACE_MS = 8_000;

/**
 * `waiting`: failed because of a problem with the store that the log has already. `cut-off`: ended at its timeout, unfinished. `given-up`:
 * still running after that, and no longer waited for.
 */
export type JobOutcome = 'done' | 'failed' | 'waiting' | 'cut-off' | 'stopped' | 'given-up';

export function runningJobs(graceMs: number, logger: Logger, observe: Observer<JobOutcome> = unobserved) {
  const running = new Set<AbortController>();
  let isStopping = false;

  async function attempt(job: BackgroundJob, signal: AbortSignal): Promise<JobOutcome> {
    try {
      await job.run(signal);
      if (!signal.aborted) return 'done';
      if (isStopping) return 'stopped';
      logger.warn({ job: job.name, seconds: job.timeoutSeconds }, 'job cut off at its timeout');
      return 'cut-off';
    } catch (err) {
      if (isStopping) {
        logger.info({ job: job.name, err }, 'job stopped');
        return 'stopped';
      }
      if (isKnownTrouble(err)) {
        logger.debug({ job: job.name, trouble: err.trouble }, 'job waits for the store');
        return 'waiting';
      }
      logger.error({ job: job.name, isOutOfTime: signal.aborted, err }, 'job failed');
      return 'failed';
    }
  }

  async function givenUp(job: BackgroundJob, signal: AbortSignal, ended: AbortSignal): Promise<JobOutcome> {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    // The wait ends early when the job ends.
    await wait(graceMs, undefined, { signal: ended }).catch(() => {});
    if (!ended.aborted) logger.warn({ job: job.name, graceMs }, 'job given up: it goes on after its signal');
    return 'given-up';
  }

  return {
    /** Runs a job until it ends, or until `graceMs` after its signal. Never rejects. */
    async run(job: BackgroundJob): Promise<void> {
      if (isStopping) return;
      const control = new AbortController();
      const ended = new AbortController();
      const timeout = setTimeout(() => control.abort(), job.timeoutSeconds * 1000);
      running.add(control);
      const observeEnd = observe(job.name);
      observeEnd(await Promise.race([attempt(job, control.signal), givenUp(job, control.signal, ended.signal)]));
      running.delete(control);
      clearTimeout(timeout);
      ended.abort();
    },
    abort(): void {
      isStopping = true;
      for (const control of running) control.abort();
    },
  };
}

export interface LoopsOptions {
  /** Whether this replica runs the jobs of an environment now; null asks for those of the installation. */
  readonly isOurs: (environment: string | null) => boolean;
  readonly logger: Logger;
  readonly observe?: Observer<JobOutcome>;
}

export interface Loops {
  start(jobs: readonly BackgroundJob[]): void;
  /** Runs a job in this process at once, or again after its current run, also where its turns are another replica's: that is only done twice. */
  wake(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Spreads the jobs of many environments over their interval. */
const BETWEEN_FIRST_RUNS_MS = 20;

/** Intervals count by a clock that nobody can set. */
export function createLoops({ isOurs, logger, observe }: LoopsOptions): Loops {
  const running = runningJobs(GRACE_MS, logger, observe);
  const wakers = new Map<string, () => void>();
  let loops: Promise<void>[] = [];
  let isStopping = false;

  async function loop(job: BackgroundJob, firstInMs: number): Promise<void> {
    let dueAt = performance.now() + firstInMs;
    let isWoken = false;
    let endWait = () => {};
    wakers.set(job.name, () => {
      isWoken = true;
      endWait();
    });
    while (!isStopping) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(0, dueAt - performance.now()));
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (isWoken || isOurs(job.environment)) {
        isWoken = false;
        await running.run(job);
      }
      const now = performance.now();
      if (dueAt <= now) dueAt = Math.max(now, dueAt + job.everySeconds * 1000);
    }
  }

  return {
    start(jobs) {
      loops = jobs.map((job, index) => loop(job, index * BETWEEN_FIRST_RUNS_MS));
    },
    async wake(name) {
      wakers.get(name)?.();
    },
    async stop() {
      isStopping = true;
      running.abort();
      for (const wake of wakers.values()) wake();
      await Promise.all(loops);
    },
  };
}
