import { isKnownTrouble } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';

/**
 * Runs statements that can fail because the database is away. Logs once that it's away and once that it's back, unless the log has the
 * store's trouble already; a later slot retries the failed work. Resolves with null for a failed statement.
 */
export type Tolerate = <Result>(statement: () => Promise<Result>) => Promise<Result | null>;

export function toleratingOutages(logger: Logger): Tolerate {
  let isAway = false;
  return async (statement) => {
    try {
      const result = await statement();
      if (isAway) logger.info({}, 'job queue reaches its database again');
      isAway = false;
      return result;
    } catch (err) {
      if (isKnownTrouble(err)) {
        logger.debug({ trouble: err.trouble }, 'job queue waits for the store');
        return null;
      }
      if (!isAway) logger.error({ err }, "job queue can't use its database, jobs wait");
      isAway = true;
      return null;
    }
  };
}
