import type { BackgroundJob } from './job.ts';

/** How much later than its minute a Home tab can refresh. Nothing on it is newer than the last poll. */
const MOST_SECONDS = 15;
/** Enough for fifty tabs while Slack is slow. */
const TIMEOUT_SECONDS = 120;

/** Refreshes the Home tabs that people are looking at. */
export function homesJob(pollSeconds: number, refresh: (signal: AbortSignal) => Promise<void>): BackgroundJob {
  const everySeconds = Math.min(pollSeconds, MOST_SECONDS);
  return { name: 'homes', everySeconds, timeoutSeconds: TIMEOUT_SECONDS, run: refresh };
}
