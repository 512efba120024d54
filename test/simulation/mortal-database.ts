import type { Database, Sql, SqlValue } from '../../src/store/database/database.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What a process that was killed is answered to everything, and what nobody but the simulation catches. */
export class ProcessKilledError extends Error {
  override readonly name = 'ProcessKilledError';

  constructor() {
    super('this process was killed');
  }
}

/** One run of a Notif process: it ends when it's killed, and whatever it asks for afterwards is refused. */
export interface Life {
  /** Called before each statement, and before a transaction is committed. Throws once the process is dead, or when it's to die here. */
  step(): void;
}

/** One piece of work after the other, in the order in which it was asked for. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createTurns(time: VirtualTime): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) =>
    time.during(() => {
      const turn = last.then(work, work);
      last = turn.catch(() => {});
      return turn;
    });
}

/**
 * The database as one process sees it. Statements take turns over all processes, so that the same seed gives the same order; the process may
 * die before any of them, or between a statement and its answer; and the database's own clock is `now`.
 */
export function mortalDatabase(database: Database, turns: Turns, life: Life, now: () => number): Database {
  const asked = <Result>(ask: () => Promise<Result>): Promise<Result> =>
    turns(async () => {
      life.step();
      const answer = await ask();
      life.step();
      return answer;
    });
  const timed: Timed = (text, values = []) => {
    const time = `$${values.length + 1}::timestamptz`;
    const withTime = text.replace(DATABASE_CLOCK, () => time);
    return withTime === text ? [text, values] : [withTime, [...values, new Date(now())]];
  };
  return {
    ...database,
    rows: (Row, text, values) => asked(() => database.rows(Row, ...timed(text, values))),
    write: (text, values) => asked(() => database.write(...timed(text, values))),
    withTransaction: (work) =>
      asked(() =>
        database.withTransaction(async (sql) => {
          const result = await work(mortalSql(sql, life, timed));
          life.step();
          return result;
        }),
      ),
  };
}

const DATABASE_CLOCK = /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)/gi;

/** A statement that is given the time, instead of asking the database for it. */
type Timed = (text: string, values?: readonly SqlValue[]) => [text: string, values: readonly SqlValue[]];

function mortalSql(sql: Sql, life: Life, timed: Timed): Sql {
  return {
    rows: async (Row, text, values) => {
      life.step();
      return sql.rows(Row, ...timed(text, values));
    },
    write: async (text, values) => {
      life.step();
      return sql.write(...timed(text, values));
    },
    script: async (text) => {
      life.step();
      return sql.script(text);
    },
  };
}
