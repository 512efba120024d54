import type { Logger } from '../domain/logger.ts';
import type { Observer } from '../domain/observer.ts';
import type { BackgroundJob } from './job.ts';
import { GRACE_MS, type JobOutcome, runningJobs } from './running-jobs.ts';

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
