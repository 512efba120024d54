import { silent } from '../src/lib/logger.testing.ts';
import { type Connect, type Db, dbOn } from '../src/store/db.ts';

/** Opens a database that records the time of each statement, in milliseconds, in the order in which they ended. */
export function timedDb(connect: Connect, times: number[]): Db {
  const timed: Connect = (use) =>
    connect((query) =>
      use(async (...statement) => {
        const begun = performance.now();
        try {
          return await query(...statement);
        } finally {
          times.push(performance.now() - begun);
        }
      }),
    );
  return dbOn(timed, { logger: silent });
}
