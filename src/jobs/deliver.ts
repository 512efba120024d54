import type { Job } from './job.ts';

export const DELIVER = 'deliver';

/** Also without being woken: a post whose retry has become due, an edit whose half minute is over. */
const EVERY_SECONDS = 5;

/** Delivering goes on until nothing is left to post; what a cut-off leaves behind is claimed again after its lease. */
const TIMEOUT_SECONDS = 120;

/** Posts and edits messages. Replicas share the work: each message is claimed by one. */
export function deliverJob(deliver: (signal: AbortSignal) => Promise<void>): Job {
  return { name: DELIVER, everySeconds: EVERY_SECONDS, timeoutSeconds: TIMEOUT_SECONDS, run: deliver };
}
