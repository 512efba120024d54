import type { Logger } from '../domain/logger.ts';
import type { Job } from './job.ts';

export interface PruneParts {
  readonly store: {
    /** Returns the number of rows deleted; the signal ends it between two chunks. */
    prune(now: Date, retentionDays: number, signal: AbortSignal): Promise<number>;
  };
  readonly retentionDays: () => number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** What is kept a little longer than promised does no harm; an hour's worth is deleted in a moment. */
const EVERY_SECONDS = 3600;
const TIMEOUT_SECONDS = 600;

/** Deletes what has been kept long enough. */
export function pruneJob({ store, retentionDays, logger, now }: PruneParts): Job {
  return {
    name: 'prune',
    everySeconds: EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      const days = retentionDays();
      const rows = await store.prune(now(), days, signal);
      logger.info({ rows, days }, 'old rows deleted');
    },
  };
}
