import { DrizzleQueryError } from 'drizzle-orm/errors';
import { PgDialect } from 'drizzle-orm/pg-core';
import { PgRemoteDatabase, PgRemoteSession } from 'drizzle-orm/pg-proxy';
import type { z } from 'zod';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';
import { type Observer, unobserved } from '../lib/observer.ts';
import { StatementError } from './errors.ts';
import { storable } from './values.ts';

/** What a statement written by hand can take; a list is passed as one JSON text, see `jsonOf`. */
export type SqlValue = string | number | boolean | Date | null;

type Builders = Pick<
  PgRemoteDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | '$with' | 'with' | '$count'
>;

/** The database, or a transaction on it: builders by the schema, and `rows` and `write` for what they can't say. */
export interface Db extends Builders {
  /** Runs a statement and parses each row with `Row`; a row that doesn't match is a bug and throws a `ZodError`. */
  rows<Row extends z.ZodType>(Row: Row, text: string, values?: readonly SqlValue[]): Promise<z.output<Row>[]>;
  /** Runs a statement and returns the number of rows written. */
  write(text: string, values?: readonly SqlValue[]): Promise<number>;
  /**
   * Everything that `work` writes is committed, or nothing if it throws. It does nothing but run statements: it runs again after a
   * deadlock. Within a transaction it is part of that.
   */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
}

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode: 'array' | 'object';
  /** Whether the text is one of few, so that the connection may keep its plan. */
  readonly isFixed: boolean;
}

export type Query = (statement: Statement) => Promise<{ readonly rows: unknown[]; readonly affected: number }>;

/** Lends a connection: PGlite's only one, or one of a server's pool. What `use` leaves of a transaction when it throws is rolled back. */
export type Connect = <Result>(use: (query: Query) => Promise<Result>) => Promise<Result>;

/** `rolled-back`: an error thrown by a transaction's work, which isn't necessarily the database's. */
export type StatementOutcome = 'ok' | 'failed' | 'in-trouble' | 'rolled-back';

export interface DbOptions {
  readonly logger: Logger;
  /** Of each `statement` and each `transaction`. */
  readonly observe?: Observer<StatementOutcome>;
}

export function dbOn(connect: Connect, { logger, observe = unobserved }: DbOptions): Db {
  const dialect = new PgDialect({ casing: 'snake_case' });
  const query: Query = (statement) => observed(observe, 'statement', 'failed', () => connect((run) => run(statement)));
  const begin = <Result>(work: (tx: Db) => Promise<Result>) => connect((run) => transaction(run, dialect, work));
  return {
    ...statementsOn(query, dialect),
    transaction: (work) =>
      observed(observe, 'transaction', 'rolled-back', () => unlessDeadlocked(() => begin(work), logger)),
  };
}

/** What waits for a lock goes on with what the other one has written, whatever the server's default isolation is. */
async function transaction<Result>(
  query: Query,
  dialect: PgDialect,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  const plain = (text: string) => query({ text, values: [], rowMode: 'object', isFixed: false });
  let hasFailed = false;
  const noticing: Query = async (statement) => {
    try {
      return await query(statement);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  await plain('BEGIN ISOLATION LEVEL READ COMMITTED');
  const result = await work(within(noticing, dialect));
  // PostgreSQL commits nothing then, and doesn't say so.
  if (hasFailed) throw new Error('nothing of the transaction was kept: one of its statements had failed');
  await plain('COMMIT');
  return result;
}

const DEADLOCK_DETECTED = '40P01';
const MOST_DEADLOCKS = 3;

/**
 * PostgreSQL ends one of the transactions that wait for each other, which then has written nothing, so it can run again. Deliveries, polls
 * and people lock the same rows in orders of their own.
 */
async function unlessDeadlocked<Result>(run: () => Promise<Result>, logger: Logger): Promise<Result> {
  for (let deadlocks = 1; ; deadlocks += 1) {
    try {
      return await run();
    } catch (err) {
      const isDeadlock = err instanceof StatementError && err.code === DEADLOCK_DETECTED;
      if (!isDeadlock || deadlocks === MOST_DEADLOCKS) throw err;
      logger.warn({ err }, 'transactions waited for each other, running one again');
    }
  }
}

function within(query: Query, dialect: PgDialect): Db {
  const tx: Db = { ...statementsOn(query, dialect), transaction: (work) => work(tx) };
  return tx;
}

function statementsOn(query: Query, dialect: PgDialect): Omit<Db, 'transaction'> {
  const run = (text: string, values: readonly unknown[], rowMode: 'array' | 'object', isFixed: boolean) =>
    query({ text, values: values.map(storable), rowMode, isFixed });
  const built = new PgRemoteDatabase(
    dialect,
    new Session(
      (text, values, method) => run(text, values, method === 'all' ? 'array' : 'object', false),
      dialect,
      undefined,
    ),
    undefined,
  );
  return {
    select: built.select.bind(built),
    selectDistinct: built.selectDistinct.bind(built),
    selectDistinctOn: built.selectDistinctOn.bind(built),
    insert: built.insert.bind(built),
    update: built.update.bind(built),
    delete: built.delete.bind(built),
    $with: built.$with,
    with: built.with.bind(built),
    $count: built.$count.bind(built),
    rows: async (Row, text, values = []) => {
      const { rows } = await run(text, values, 'object', true);
      return rows.map((row) => Row.parse(row));
    },
    write: async (text, values = []) => (await run(text, values, 'object', true)).affected,
  };
}

/** Drizzle's error has every value of the statement in its message; only its cause may reach a log. */
class Session extends PgRemoteSession<Record<string, never>, Record<string, never>> {
  override prepareQuery(
    ...given: Parameters<PgRemoteSession<Record<string, never>, Record<string, never>>['prepareQuery']>
  ) {
    const prepared = super.prepareQuery(...given);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = async (values) => {
      try {
        return await execute(values);
      } catch (error) {
        throw error instanceof DrizzleQueryError ? error.cause : error;
      }
    };
    return prepared as never;
  }
}

async function observed<Result>(
  observe: Observer<StatementOutcome>,
  kind: string,
  failure: StatementOutcome,
  run: () => Promise<Result>,
): Promise<Result> {
  const observeEnd = observe(kind);
  try {
    const result = await run();
    observeEnd('ok');
    return result;
  } catch (error) {
    observeEnd(error instanceof StoreTroubleError ? 'in-trouble' : failure);
    throw error;
  }
}
