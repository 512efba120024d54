import { isKnownTrouble } from '../../domain/health/store-trouble.ts';
import type { Observer } from '../../domain/observer.ts';
import type { Database } from './database.ts';

/**
 * `in-trouble`: rejected because of a problem with the store that the log has already. `rolled-back`: an error thrown by a transaction's
 * work, which isn't necessarily the database's.
 */
export type StatementOutcome = 'ok' | 'failed' | 'in-trouble' | 'rolled-back';

/** Wraps the database with an observer of each `read`, `write`, `transaction` and `queue` (unparsed) statement. */
export function observedDatabase(database: Database, observe: Observer<StatementOutcome>): Database {
  async function observed<Result>(
    kind: string,
    run: () => Promise<Result>,
    failure: StatementOutcome = 'failed',
  ): Promise<Result> {
    const observeEnd = observe(kind);
    try {
      const result = await run();
      observeEnd('ok');
      return result;
    } catch (error) {
      observeEnd(isKnownTrouble(error) ? 'in-trouble' : failure);
      throw error;
    }
  }

  return {
    ...database,
    rows: (Row, text, values) => observed('read', () => database.rows(Row, text, values)),
    write: (text, values) => observed('write', () => database.write(text, values)),
    withTransaction: (work) => observed('transaction', () => database.withTransaction(work), 'rolled-back'),
    executeSql: (text, values) => observed('queue', () => database.executeSql(text, values)),
  };
}
