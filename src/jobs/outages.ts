import type { Logger } from '../domain/logger.ts';

/**
 * Runs statements that may fail because the database is away: says so once, and once that it is back. What could not be done then is
 * done by a later slot. Resolves with null for what failed.
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
