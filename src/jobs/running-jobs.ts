import { setTimeout as wait } from 'node:timers/promises';
import { isKnownTrouble } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import type { BackgroundJob } from './job.ts';

/** How long Notif waits for a job after its signal: a process that is asked to stop is usually killed after ten seconds. */
export const GRACE_MS = 8_000;

export interface RunningJobs {
  /** Runs a job until it ends, or until `graceMs` after its signal. Never rejects. */
  run(job: BackgroundJob): Promise<void>;
  abort(): void;
}

/**
 * `waiting`: failed because of a problem with the store that the log has already. `cut-off`: ended at its timeout, unfinished. `given-up`:
 * still running after that, and no longer waited for.
 */
export type JobOutcome = 'done' | 'failed' | 'waiting' | 'cut-off' | 'stopped' | 'given-up';

export function runningJobs(graceMs: number, logger: Logger, observe: Observer<JobOutcome> = unobserved): RunningJobs {
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
    async run(job) {
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
    abort() {
      isStopping = true;
      for (const control of running) control.abort();
    },
  };
}
