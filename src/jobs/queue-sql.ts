import type { Logger } from '../domain/logger.ts';

export type ExecuteSql = (text: string, values?: readonly unknown[]) => Promise<{ rows: unknown[] }>;

export interface QueueSql {
  executeSql: ExecuteSql;
  /** From here on a statement that fails is logged and answered with no rows. */
  tolerate(): void;
  /** Waits for the statements that are running. */
  settle(): Promise<void>;
}

/**
 * The database as pg-boss gets it. While it starts, errors are its own. Later on it leaves some of its calls unawaited, where an error
 * would end the process, and drops others: they are logged here, once until the database answers again. No rows mean to pg-boss
 * that nothing was sent, fetched or completed, and the next slot makes up for it.
 */
export function queueSql(executeSql: ExecuteSql, logger: Logger): QueueSql {
  const pending = new Set<Promise<unknown>>();
  let isTolerant = false;
  let isFailing = false;

  async function tolerantly(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }> {
    try {
      const answer = await executeSql(text, values);
      if (isFailing) logger.info({}, 'job queue reaches its database again');
      isFailing = false;
      return answer;
    } catch (err) {
      if (!isFailing) logger.error({ err }, 'job queue can not use its database, jobs wait');
      isFailing = true;
      return { rows: [] };
    }
  }

  return {
    executeSql(text, values) {
      const answer = (isTolerant ? tolerantly : executeSql)(text, values);
      const forget = (): boolean => pending.delete(answer);
      pending.add(answer);
      answer.then(forget, forget);
      return answer;
    },
    tolerate: () => {
      isTolerant = true;
    },
    settle: async () => {
      await Promise.allSettled(pending);
    },
  };
}
