import { createHash } from 'node:crypto';
import pg from 'pg';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';
import { asking, type Database, type Sql, type StatementResult } from './database.ts';
import { EmbeddedDatabaseEndedError } from './errors.ts';

/** A database on a pool of connections. A connection that broke is replaced at the next statement. */
export function databaseOn(pool: pg.Pool, logger: Logger): Database {
  // An error that nothing listens to ends the process, and a connection can break before whoever asked for it has it.
  pool.on('connect', (client) => client.on('error', (err) => logger.warn({ err }, 'database connection lost')));
  pool.on('error', () => {});
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const connected: Connected = async (use) => {
    if (closing !== undefined) throw new StoreTroubleError('not-answering', new Error('the database is closed'));
    const run = onConnection(pool, use);
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
    }
  };
  // An ending pool never serves those who wait for a connection.
  const close = async (): Promise<void> => {
    await Promise.allSettled(running);
    await pool.end();
  };
  const pooled = asking((text, values) => connected((client) => runOn(client, text, values)));
  return {
    ...pooled,
    probe: pooled.rows,
    withTransaction: (work) => unlessDeadlocked(() => connected((client) => withTransaction(client, work)), logger),
    executeSql: (text, values) => connected((client) => execute(client, text, values)),
    // A server has its own autovacuum.
    vacuum: async () => {},
    isOpen: () => closing === undefined,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function runOn(client: pg.ClientBase, text: string, values: unknown[]): Promise<StatementResult> {
  return statementResult(await answered(client.query({ name: nameOf(text), text, values })));
}

/** A statement with a name is parsed once a connection, which takes longer than most statements run. */
function nameOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

export function statementResult({ rows, rowCount }: pg.QueryResult): StatementResult {
  return { rows, affected: rowCount ?? 0 };
}

/** An error from the database is a `DatabaseError`; any other means that a connection couldn't be made, broke, or is silent. */
export async function answered<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof pg.DatabaseError || error instanceof EmbeddedDatabaseEndedError) throw error;
    throw new StoreTroubleError('not-answering', error);
  }
}

/** What waits for a lock goes on with what the other one has written, whatever the server's default isolation is. */
async function withTransaction<Result>(client: pg.ClientBase, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  await answered(client.query('BEGIN ISOLATION LEVEL READ COMMITTED'));
  const result = await work({
    ...asking((text, values) => runOn(client, text, values)),
    script: async (text) => void (await answered(client.query(text))),
  });
  const { command } = await answered(client.query('COMMIT'));
  if (command !== 'COMMIT') throw new Error('nothing of the transaction was kept: one of its statements had failed');
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
      const isDeadlock = err instanceof pg.DatabaseError && err.code === DEADLOCK_DETECTED;
      if (!isDeadlock || deadlocks === MOST_DEADLOCKS) throw err;
      logger.warn({ err }, 'transactions waited for each other, running one again');
    }
  }
}

/** A script of several statements has no values and returns a list of results. */
async function execute(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: unknown[] }> {
  if (values.length > 0) return runOn(client, text, [...values]);
  const answers = [await answered(client.query(text))].flat();
  return { rows: answers.at(-1)?.rows ?? [] };
}

type Connected = <Result>(use: (client: pg.ClientBase) => Promise<Result>) => Promise<Result>;

/** A connection on which something failed may be in a broken transaction, so it is closed, which rolls back, instead of reused. */
async function onConnection<Result>(pool: pg.Pool, use: (client: pg.ClientBase) => Promise<Result>): Promise<Result> {
  const client = await answered(pool.connect());
  try {
    const result = await use(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
