import type { BackgroundJob } from './job.ts';

export const HEARTBEAT = 'heartbeat';

/** Longer than the call can take. */
const TIMEOUT_SECONDS = 30;

/** One replica runs the installation's jobs, so the death of another raises no alarm. */
export function heartbeatJob(everySeconds: number, send: (signal: AbortSignal) => Promise<void>): BackgroundJob {
  return { name: HEARTBEAT, environment: null, everySeconds, timeoutSeconds: TIMEOUT_SECONDS, run: send };
}
