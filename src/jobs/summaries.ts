import type { Job } from './job.ts';

/** A summary comes within this time. */
const EVERY_SECONDS = 5;
const TIMEOUT_SECONDS = 120;

export interface SummariesParts {
  /** Writes the summaries that are due, and returns how many. */
  summarise(signal: AbortSignal): Promise<number>;
  wakeDelivery(): Promise<void>;
}

/** Daily summaries. One that was missed while nothing ran is made up for by the next run. */
export function summariesJob({ summarise, wakeDelivery }: SummariesParts): Job {
  return {
    name: 'summaries',
    everySeconds: EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if ((await summarise(signal)) > 0) await wakeDelivery();
    },
  };
}
