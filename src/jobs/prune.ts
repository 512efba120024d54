import type { Logger } from '../domain/logger.ts';
import type { Job } from './job.ts';

/** What is kept a little longer than promised does no harm; an hour's worth is deleted in a moment. */
const EVERY_SECONDS = 3600;
const TIMEOUT_SECONDS = 600;

/** Deletes what has been kept long enough. `prune` returns the number of rows deleted. */
export function pruneJob(prune: (signal: AbortSignal) => Promise<number>, logger: Logger): Job {
  return {
    name: 'prune',
    everySeconds: EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      const rows = await prune(signal);
      logger.info({ rows }, 'old rows deleted');
    },
  };
}
