import type { Logger } from '../domain/logger.ts';

/**
 * Runs statements that can fail because the database is away. Logs once that it's away and once that it's back; a later slot retries the
 * failed work. Resolves with null for a failed statement.
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
      if (!isAway) logger.error({ err }, "job queue can't use its database, jobs wait");
      isAway = true;
      return null;
    }
  };
}
