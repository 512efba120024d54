import type { Db } from '../src/store/db.ts';

/** Wraps the database to record the time of each statement, in milliseconds, in the order in which they ended. */
export function timed(database: Db, times: number[]): Db {
  const asking = (sql: Pick<Db, 'rows' | 'write'>): Pick<Db, 'rows' | 'write'> => ({
    rows: (Row, text, values) => timing(times, () => sql.rows(Row, text, values)),
    write: (text, values) => timing(times, () => sql.write(text, values)),
  });
  return {
    ...database,
    ...asking(database),
    transaction: (work) => database.transaction((sql) => work({ ...sql, ...asking(sql) })),
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
