import type { Database } from '../src/store/database/database.ts';

/** How long each statement and each transaction took, in milliseconds, in the order in which they ended. */
export interface Times {
  readonly statements: number[];
  readonly transactions: number[];
}

/** The database, taking down how long it is at work; waiting for anyone who was before is not counted inside a transaction. */
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
