import type { Job } from './job.ts';

export const DELIVER = 'deliver';

/** Also without being woken, if a timer or a wake-up was lost. */
export const DELIVER_EVERY_SECONDS = 30;

/** Delivering goes on until nothing is left to post; what a cut-off leaves behind is claimed again after its lease. */
const TIMEOUT_SECONDS = 120;

/**
 * Posts and edits messages: when woken, and when something is due (a retry, the end of a pause or of a lease, the next edit of what
 * counts on). Replicas share the work: each message is claimed by one.
 */
export function deliverJob(
  deliver: (signal: AbortSignal) => Promise<void>,
  /** Called after each run: has the job run again when the next thing is due. */
  setTimer: () => Promise<void>,
): Job {
  return {
    name: DELIVER,
    everySeconds: DELIVER_EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      await deliver(signal);
      if (!signal.aborted) await setTimer();
    },
  };
}
