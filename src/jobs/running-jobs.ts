import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../domain/logger.ts';
import type { Job } from './job.ts';

export interface RunningJobs {
  /** Runs a job until it ends or is given up, `graceMs` after its signal. Never rejects. */
  run(job: Job): Promise<void>;
  /** Aborts all that run, and all that would. */
  abort(): void;
}

/** Runs jobs with their signals, and says what became of them. */
export function runningJobs(graceMs: number, logger: Logger): RunningJobs {
  const running = new Set<AbortController>();
  let isStopping = false;

  async function attempt(job: Job, signal: AbortSignal): Promise<void> {
    try {
      await job.run(signal);
      if (signal.aborted && !isStopping) {
        logger.warn({ job: job.name, seconds: job.timeoutSeconds }, 'job cut off at its time-out');
      }
    } catch (err) {
      if (isStopping) logger.info({ job: job.name, err }, 'job stopped');
      else logger.error({ job: job.name, isOutOfTime: signal.aborted, err }, 'job failed');
    }
  }

  async function givenUp(job: Job, signal: AbortSignal, ended: AbortSignal): Promise<void> {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    // The end of the job ends the wait.
    await wait(graceMs, undefined, { signal: ended }).catch(() => {});
    if (!ended.aborted) logger.warn({ job: job.name, graceMs }, 'job given up: it goes on after its signal');
  }

  return {
    async run(job) {
      if (isStopping) return;
      const control = new AbortController();
      const ended = new AbortController();
      const timeout = setTimeout(() => control.abort(), job.timeoutSeconds * 1000);
      running.add(control);
      await Promise.race([attempt(job, control.signal), givenUp(job, control.signal, ended.signal)]);
      running.delete(control);
      clearTimeout(timeout);
      ended.abort();
    },
    abort() {
      isStopping = true;
      for (const control of running) control.abort();
    },
  };
}
