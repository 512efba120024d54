import type { Job } from './job.ts';

/** A summary comes within this time, and within a poll interval: it covers what the polls have found. */
const MOST_SECONDS = 30;
const TIMEOUT_SECONDS = 120;

export interface SummariesParts {
  readonly pollSeconds: number;
  /** Writes the summaries that are due, and returns how many. */
  summarise(signal: AbortSignal): Promise<number>;
  wakeDelivery(): Promise<void>;
}

/** Daily summaries. One that was missed while nothing ran is made up for by the next run. */
export function summariesJob({ pollSeconds, summarise, wakeDelivery }: SummariesParts): Job {
  return {
    name: 'summaries',
    everySeconds: Math.min(pollSeconds, MOST_SECONDS),
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if ((await summarise(signal)) > 0) await wakeDelivery();
    },
  };
}
