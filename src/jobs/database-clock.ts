import { z } from 'zod';
import type { ExecuteSql } from './queue.ts';

/** Asks for the database's time, in milliseconds since the epoch. */
export const ASK_TIME = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';

export const TimeRow = z.object({ ms: z.number() });

export interface DatabaseClock {
  /** Returns the database's time by the last answer, in milliseconds since the epoch. This machine's clock, which can be set, plays no part. */
  now(): number;
  /**
   * Asks for the time if the last answer is old. Returns whether rows can be dated ahead of it: at the first answer, and when the clock was
   * set back. Rejects if the database can't be asked.
   */
  ask(): Promise<boolean>;
}

/** How long an answer is used: the clock of the database can be set, too. */
const ASK_EVERY_MS = 2_000;

/** An answer that took its time looks like a clock that was set back a little. */
const SET_BACK_MS = 1_000;

/** Creates the clock that replicas number slots by, so that theirs can differ. `ask` has to be called before `now`, and then regularly. */
export function databaseClock(executeSql: ExecuteSql): DatabaseClock {
  let askedAt = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  return {
    now: () => performance.now() + aheadMs,
    async ask() {
      if (performance.now() - askedAt < ASK_EVERY_MS) return false;
      const { rows } = await executeSql(ASK_TIME);
      const { ms } = TimeRow.parse(rows[0]);
      const isFirst = askedAt === Number.NEGATIVE_INFINITY;
      const before = aheadMs;
      askedAt = performance.now();
      aheadMs = ms - askedAt;
      return isFirst || aheadMs < before - SET_BACK_MS;
    },
  };
}
