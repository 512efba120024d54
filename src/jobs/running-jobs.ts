import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../domain/logger.ts';
import type { Job } from './job.ts';

export interface RunningJobs {
  /** Runs a job until it ends; never rejects. */
  run(job: Job): Promise<void>;
  /** Aborts all that run and waits for their end, at most `ms`. */
  stop(ms: number): Promise<void>;
}

export function runningJobs(logger: Logger): RunningJobs {
  const stopping = new AbortController();
  const running = new Map<Promise<void>, string>();

  async function attempt(job: Job): Promise<void> {
    const timeout = AbortSignal.timeout(job.timeoutSeconds * 1000);
    try {
      await job.run(AbortSignal.any([timeout, stopping.signal]));
      if (timeout.aborted) logger.warn({ job: job.name, seconds: job.timeoutSeconds }, 'job cut off at its time-out');
    } catch (err) {
      if (stopping.signal.aborted) logger.info({ job: job.name, err }, 'job stopped');
      else logger.error({ job: job.name, timedOut: timeout.aborted, err }, 'job failed');
    }
  }

  return {
    async run(job) {
      if (stopping.signal.aborted) return;
      const run = attempt(job);
      running.set(run, job.name);
      await run;
      running.delete(run);
    },
    async stop(ms) {
      stopping.abort();
      const giveUp = new AbortController();
      await Promise.race([Promise.all(running.keys()), wait(ms, undefined, { signal: giveUp.signal }).catch(() => {})]);
      giveUp.abort();
      for (const job of running.values()) logger.warn({ job, ms }, 'job did not stop in time');
    },
  };
}
