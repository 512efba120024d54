import type { BackgroundJob } from './job.ts';

export const ANNOUNCE = 'announce';

/** Far longer than needed: the job writes a few rows for each watch, and the store ends a hanging statement much earlier. */
const TIMEOUT_SECONDS = 300;

/** Also runs once in each poll interval: what is stored gets announced even if polling throws, hangs or pauses. */
export function announceJob(
  everySeconds: number,
  parts: {
    /** Returns the ids of the messages written. */
    announce(signal: AbortSignal): Promise<readonly string[]>;
    wakeDelivery(): Promise<void>;
    setDeliveryTimer(): Promise<void>;
  },
): BackgroundJob {
  return {
    name: ANNOUNCE,
    environment: null,
    everySeconds,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if ((await parts.announce(signal)).length > 0) await parts.wakeDelivery();
      else await parts.setDeliveryTimer();
    },
  };
}
