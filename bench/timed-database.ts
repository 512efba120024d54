import type { Database } from '../src/store/database/database.ts';

/** The time of each statement and each transaction, in milliseconds, in the order in which they ended. */
export interface Times {
  readonly statements: number[];
  readonly transactions: number[];
}

/** Wraps the database to record how long it works. A transaction's time doesn't include waiting for earlier ones. */
export function timed(database: Database, times: Times): Database {
  const asking = (sql: Pick<Database, 'rows' | 'write'>): Pick<Database, 'rows' | 'write'> => ({
    rows: (Row, text, values) => timing(times.statements, () => sql.rows(Row, text, values)),
    write: (text, values) => timing(times.statements, () => sql.write(text, values)),
  });
  return {
    ...database,
    ...asking(database),
    withTransaction: (work) =>
      database.withTransaction((sql) => timing(times.transactions, () => work({ ...sql, ...asking(sql) }))),
  };
}

async function timing<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    times.push(performance.now() - begun);
  }
}
