import type { Job } from './job.ts';

/** How late a Home tab may be beyond its minute. */
const EVERY_SECONDS = 5;
/** Fifty tabs, where Slack is slow. */
const TIMEOUT_SECONDS = 120;

/** Keeps up to date the Home tabs that people look at. */
export function homesJob(refresh: (signal: AbortSignal) => Promise<void>): Job {
  return { name: 'homes', everySeconds: EVERY_SECONDS, timeoutSeconds: TIMEOUT_SECONDS, run: refresh };
}
