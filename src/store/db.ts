import { DrizzleQueryError } from 'drizzle-orm/errors';
import { PgDialect } from 'drizzle-orm/pg-core';
import { PgRemoteDatabase, PgRemoteSession } from 'drizzle-orm/pg-proxy';
import type { z } from 'zod';
import { StoreTroubleError } from '../health/store-trouble.ts';
import { type Logger, type Observer, unobserved } from '../lib/logger.ts';
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

type RowMode = 'array' | 'object';
export type Query = (
  text: string,
  values?: readonly unknown[],
  rowMode?: RowMode,
) => Promise<{ readonly rows: unknown[]; readonly affected: number }>;

/** Lends a connection: PGlite's only one, or one of a server's pool. What `use` leaves of a transaction when it throws is rolled back. */
export type Connect = <Result>(use: (query: Query) => Promise<Result>) => Promise<Result>;

export type StatementOutcome = 'ok' | 'failed' | 'in-trouble';

export interface DbOptions {
  readonly logger: Logger;
  /** The database has ended or lost its tables: only a new process helps. One that is merely down recovers by itself. */
  readonly onLost?: ((reason: Error) => void) | undefined;
  /** Of each `statement` and each `transaction`. */
  readonly observe?: Observer<StatementOutcome>;
}

export function dbOn(connect: Connect, { logger, onLost, observe = unobserved }: DbOptions): Db {
  const observed = noticing(onLost);
  const query: Query = (...statement) => observed(observe('statement'), () => connect((run) => run(...statement)));
  return statementsOn(query, (work) =>
    observed(observe('transaction'), () => unlessDeadlocked(() => connect((run) => transaction(run, work)), logger)),
  );
}

/** What waits for a lock goes on with what the other one has written, whatever the server's default isolation is. */
async function transaction<Result>(query: Query, work: (tx: Db) => Promise<Result>): Promise<Result> {
  let failure: unknown = null;
  const noticing: Query = (...statement) =>
    query(...statement).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  await query('BEGIN ISOLATION LEVEL READ COMMITTED');
  const tx: Db = statementsOn(noticing, (part) => part(tx));
  const result = await work(tx);
  // PostgreSQL commits nothing then, and doesn't say so.
  if (failure !== null)
    throw new Error('nothing of the transaction was kept: one of its statements had failed', { cause: failure });
  await query('COMMIT');
  return result;
}

const DEADLOCK_DETECTED = '40P01';
const MOST_DEADLOCKS = 3;

/** Deliveries, polls and people lock the same rows in orders of their own. PostgreSQL ends one of those that wait for each other. */
async function unlessDeadlocked<Result>(run: () => Promise<Result>, logger: Logger): Promise<Result> {
  for (let deadlocks = 1; ; deadlocks += 1) {
    try {
      return await run();
    } catch (err) {
      const isDeadlock = err instanceof StatementError && err.code === DEADLOCK_DETECTED;
      if (!isDeadlock || deadlocks === MOST_DEADLOCKS) throw err;
      logger.warn({ err }, 'Transactions waited for each other, running one again');
    }
  }
}

const DIALECT = new PgDialect({ casing: 'snake_case' });

function statementsOn(query: Query, begin: Db['transaction']): Db {
  const run = (text: string, values: readonly unknown[], rowMode: RowMode) =>
    query(text, values.map(storable), rowMode);
  const session = new Session(
    (text, values, method) => run(text, values, method === 'all' ? 'array' : 'object'),
    DIALECT,
    undefined,
  );
  return Object.assign(new PgRemoteDatabase(DIALECT, session, undefined), {
    rows: async <Row extends z.ZodType>(Row: Row, text: string, values: readonly SqlValue[] = []) =>
      (await run(text, values, 'object')).rows.map((row) => Row.parse(row)),
    write: async (text: string, values: readonly SqlValue[] = []) => (await run(text, values, 'object')).affected,
    transaction: begin,
  });
}

type NoSchema = Record<string, never>;

/** Drizzle's error has every value of the statement in its message; only its cause may reach a log. */
class Session extends PgRemoteSession<NoSchema, NoSchema> {
  override prepareQuery(...given: Parameters<PgRemoteSession<NoSchema, NoSchema>['prepareQuery']>) {
    const prepared = super.prepareQuery(...given);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) =>
      execute(values).catch((error: unknown) => {
        throw error instanceof DrizzleQueryError ? error.cause : error;
      });
    return prepared as never;
  }
}

function noticing(onLost: DbOptions['onLost']) {
  return async <Result>(end: (outcome: StatementOutcome) => void, run: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await run();
      end('ok');
      return result;
    } catch (error) {
      end(error instanceof StoreTroubleError ? 'in-trouble' : 'failed');
      if (error instanceof StoreTroubleError && error.trouble === 'damaged') onLost?.(error);
      throw error;
    }
  };
}
