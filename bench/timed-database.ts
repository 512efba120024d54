import type { Database } from '../src/store/database/database.ts';

/** Wraps the database to record the time of each statement, in milliseconds, in the order in which they ended. */
export function timed(database: Database, times: number[]): Database {
  const asking = (sql: Pick<Database, 'rows' | 'write'>): Pick<Database, 'rows' | 'write'> => ({
    rows: (Row, text, values) => timing(times, () => sql.rows(Row, text, values)),
    write: (text, values) => timing(times, () => sql.write(text, values)),
  });
  return {
    ...database,
    ...asking(database),
    withTransaction: (work) => database.withTransaction((sql) => work({ ...sql, ...asking(sql) })),
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
