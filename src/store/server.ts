import pg from 'pg';
import type { Logger } from '../domain/logger.ts';
import { type Answer, asking, type Database, type Sql } from './database.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { migrate } from './migrate.ts';

/** A replica's polls, deliveries and people's commands rarely need more than five connections at once. */
const MOST_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of Notif's takes more than a second; one that takes this long is stuck behind a lock or a dying server. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** The server ends a statement itself; `query_timeout` is for a server that is gone without a word. */
const HURRIED: pg.PoolConfig = {
  max: MOST_CONNECTIONS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
};

/**
 * Opens a pool of connections to a PostgreSQL server, its tables up to date. A connection that breaks is replaced at the next
 * statement, so a server that was away is used again when it is back. Throws `DatabaseUnavailableError` when it can't be opened.
 */
export async function openServer(url: string, logger: Logger): Promise<Database> {
  // A migration, or waiting for another replica's, may take its time: it has a connection of its own, without time-outs.
  const unhurried = databaseOn(connect(url, { max: 1 }, logger));
  try {
    await migrate(unhurried);
  } catch (error) {
    throw new DatabaseUnavailableError(error);
  } finally {
    await unhurried.close();
  }
  return databaseOn(connect(url, HURRIED, logger));
}

function connect(url: string, config: pg.PoolConfig, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'notif',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...config,
  });
  pool.on('error', (err) => logger.warn({ err }, 'idle database connection lost'));
  return pool;
}

function databaseOn(pool: pg.Pool): Database {
  return {
    ...asking((text, values) => runOn(pool, text, values)),
    withTransaction: (work) => withTransaction(pool, work),
    executeSql: (text, values) => withConnection(pool, (client) => client.query(text, values && [...values])),
    // The server has its own autovacuum.
    vacuum: async () => {},
    isOpen: () => !pool.ending,
    close: async () => {
      if (!pool.ending) await pool.end();
    },
  };
}

async function runOn(on: Pick<pg.ClientBase, 'query'>, text: string, values: unknown[]): Promise<Answer> {
  const { rows, rowCount } = await on.query<Record<string, unknown>>(text, values);
  return { rows, affected: rowCount ?? 0 };
}

function withTransaction<Result>(pool: pg.Pool, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  return withConnection(pool, async (client) => {
    await client.query('BEGIN');
    const result = await work({
      ...asking((text, values) => runOn(client, text, values)),
      script: async (text) => void (await client.query(text)),
    });
    await client.query('COMMIT');
    return result;
  });
}

/** A connection on which something failed may be within a broken transaction: it is closed, which rolls back, not used again. */
async function withConnection<Result>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    const result = await use(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
