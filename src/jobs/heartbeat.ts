import type { Job } from './job.ts';

/** Longer than the call may take. */
const TIMEOUT_SECONDS = 30;

/** A heartbeat in each poll interval. The queue gives the slot to one replica: the others' death is no reason for an alarm. */
export function heartbeatJob(everySeconds: number, send: (signal: AbortSignal) => Promise<void>): Job {
  return { name: 'heartbeat', everySeconds, timeoutSeconds: TIMEOUT_SECONDS, run: send };
}
