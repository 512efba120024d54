import type { Db } from '../src/store/db.ts';

/** Wraps the database to record the time of each statement, in milliseconds, in the order in which they ended. */
export function timed(database: Db, times: number[]): Db {
  // A database's builders are on its prototype, which a spread leaves out.
  const timedOn = (db: Db, change: Partial<Db> = {}): Db =>
    Object.assign(Object.create(db), {
      rows: (...statement: Parameters<Db['rows']>) => timing(times, () => db.rows(...statement)),
      write: (...statement: Parameters<Db['write']>) => timing(times, () => db.write(...statement)),
      ...change,
    });
  return timedOn(database, { transaction: (work) => database.transaction((sql) => work(timedOn(sql))) });
}

async function timing<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    times.push(performance.now() - begun);
  }
}
