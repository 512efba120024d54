import type { BackgroundJob } from './job.ts';

/** A summary is written within this time and within a poll interval, since it covers what the polls have found. */
const MOST_SECONDS = 30;
const TIMEOUT_SECONDS = 120;

export interface SummariesParts {
  readonly pollSeconds: number;
  /** Writes the summaries that are due. Returns how many. */
  summarise(signal: AbortSignal): Promise<number>;
  wakeDelivery(): Promise<void>;
}

export function summariesJob({ pollSeconds, summarise, wakeDelivery }: SummariesParts): BackgroundJob {
  return {
    name: 'summaries',
    environment: null,
    everySeconds: Math.min(pollSeconds, MOST_SECONDS),
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if ((await summarise(signal)) > 0) await wakeDelivery();
    },
  };
}
