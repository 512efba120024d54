import type { Database, Sql, SqlValue } from '../../src/store/database/database.ts';
import type { VirtualTime } from './virtual-time.ts';
import { UNSTORED } from './wire-event.ts';

/** The error that every call of a killed process gets. Only the simulation catches it. */
export class ProcessKilledError extends Error {
  override readonly name = 'ProcessKilledError';

  constructor() {
    super('this process was killed');
  }
}

/** One run of a Notif process. When it's killed, all its further calls are rejected. */
export interface Life {
  /** Called before each statement and before a transaction is committed. Throws if the process is dead or dies at this step. */
  step(): void;
}

/** Runs pieces of work one after another, in the order in which they were requested. */
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
 * Returns the database as one process sees it. Statements take turns over all processes, so the same seed gives the same order. The process
 * can die before any statement, or between a statement and its answer. The database's own clock is `now`.
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
    const withTime = WITH_TIME.get(text) ?? text.replace(DATABASE_CLOCK, `$$${values.length + 1}::timestamptz`);
    WITH_TIME.set(text, withTime);
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

/** SQLSTATE "untranslatable character" */
const REFUSED = '22P05';

/** Refuses to store some events, as PostgreSQL does. */
function throwIfRefused(text: string, values: readonly SqlValue[] = []): void {
  const isRefused = text.includes('INSERT') && values.some((value) => `${value}`.includes(UNSTORED));
  if (isRefused) throw Object.assign(new Error('this event is not stored'), { code: REFUSED });
}

const DATABASE_CLOCK = /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)/gi;

/** Statements that take the time as a value, by their own text: there are few, and they're run often. */
const WITH_TIME = new Map<string, string>();

/** Passes the time to a statement as a value instead of the database's own clock. */
type Timed = (text: string, values?: readonly SqlValue[]) => [text: string, values: readonly SqlValue[]];

function mortalSql(sql: Sql, life: Life, timed: Timed): Sql {
  return {
    rows: async (Row, text, values) => {
      life.step();
      throwIfRefused(text, values);
      return sql.rows(Row, ...timed(text, values));
    },
    write: async (text, values) => {
      life.step();
      throwIfRefused(text, values);
      return sql.write(...timed(text, values));
    },
    script: async (text) => {
      life.step();
      return sql.script(text);
    },
  };
}
