import type { BackgroundJob } from './job.ts';

export const DELIVER = 'deliver';

/** The interval for running without being woken, in case a timer or a wake-up was lost. */
export const DELIVER_EVERY_SECONDS = 30;

/** A run continues until nothing is left to post. Messages that a cut-off run leaves behind can be claimed again after their lease. */
const TIMEOUT_SECONDS = 120;

/** Replicas share the work: one of them claims each message. */
export function deliverJob(
  deliver: (signal: AbortSignal) => Promise<void>,
  setTimer: () => Promise<void>,
): BackgroundJob {
  return {
    name: DELIVER,
    environment: null,
    everySeconds: DELIVER_EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      await deliver(signal);
      if (!signal.aborted) await setTimer();
    },
  };
}
