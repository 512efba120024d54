import type { Job } from './job.ts';

export const ANNOUNCE = 'announce';

/** It writes a few rows for each watch; a statement that hangs is ended by the store long before. */
const TIMEOUT_SECONDS = 300;

/**
 * Writes down what is news, whenever a poll or a recheck has recorded something, and looks for it in each poll interval whatever they do.
 * Polling that throws, hangs or rests keeps nothing that is stored from being posted.
 */
export function announceJob(
  everySeconds: number,
  parts: {
    /** Returns the ids of the messages written. */
    announce(signal: AbortSignal): Promise<readonly string[]>;
    wakeDelivery(): Promise<void>;
    /** Has what is posted already edited when that is due: rows that count on, changed states, gaps. */
    setDeliveryTimer(): Promise<void>;
  },
): Job {
  return {
    name: ANNOUNCE,
    everySeconds,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if ((await parts.announce(signal)).length > 0) await parts.wakeDelivery();
      else await parts.setDeliveryTimer();
    },
  };
}
