import type { Logger } from '../domain/logger.ts';
import type { BackgroundJob } from './job.ts';

export interface PruneParts {
  readonly store: {
    /** Returns the number of rows deleted. The signal can stop it between two chunks. */
    prune(now: Date, retentionDays: number, signal: AbortSignal): Promise<number>;
  };
  readonly retentionDays: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Data may be kept a little longer than promised, and an hour's worth is quickly deleted. */
const EVERY_SECONDS = 3600;
const TIMEOUT_SECONDS = 600;

export function pruneJob({ store, retentionDays, logger, now }: PruneParts): BackgroundJob {
  return {
    name: 'prune',
    environment: null,
    everySeconds: EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      const rows = await store.prune(now(), retentionDays, signal);
      logger.info({ rows, days: retentionDays }, 'old rows deleted');
    },
  };
}
