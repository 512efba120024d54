import type { Job } from './job.ts';

/** How late a Home tab may be beyond its minute; nothing on it is younger than the last poll. */
const MOST_SECONDS = 15;
/** Fifty tabs, where Slack is slow. */
const TIMEOUT_SECONDS = 120;

/** Keeps up to date the Home tabs that people look at. */
export function homesJob(pollSeconds: number, refresh: (signal: AbortSignal) => Promise<void>): Job {
  const everySeconds = Math.min(pollSeconds, MOST_SECONDS);
  return { name: 'homes', everySeconds, timeoutSeconds: TIMEOUT_SECONDS, run: refresh };
}
