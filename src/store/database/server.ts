import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';
import { BOUNDS } from './bounds.ts';
import { asking, type Database, type Sql, type SqlRows, type StatementResult } from './database.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { migrate } from './migrate.ts';

/** A replica's polls, deliveries and people's commands rarely need more than five connections at once. */
const MOST_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** The server ends a statement itself; `query_timeout` covers a server that is gone without notice. */
const hurried = (statementMs: number): pg.PoolConfig => ({
  max: MOST_CONNECTIONS,
  statement_timeout: statementMs,
  query_timeout: Math.ceil((statementMs * 4) / 3),
  idle_in_transaction_session_timeout: statementMs,
});

/**
 * Opens a connection pool to a PostgreSQL server and migrates it. A broken connection is replaced at the next statement, so a server that
 * was down is used again when it is back. A statement not answered within `statementMs`, or a third more if the server is gone without
 * notice, rejects. Throws `DatabaseUnavailableError` if it can't be opened.
 */
export async function openServer(url: string, logger: Logger, statementMs = BOUNDS.statementMs): Promise<Database> {
  // The server and `store/operation.ts` distinguish replicas by this name.
  const name = `notif-${randomUUID().slice(0, 8)}`;
  // A migration, or waiting for another replica's, can take long, so it has its own connection without timeouts.
  const unhurried = openPool(url, { application_name: name, max: 1 }, logger);
  try {
    await migrate(unhurried);
  } catch (error) {
    throw new DatabaseUnavailableError(error);
  } finally {
    await unhurried.close();
  }
  return openPool(url, { application_name: name, ...hurried(statementMs) }, logger);
}

function openPool(url: string, config: pg.PoolConfig, logger: Logger): Database {
  const all = {
    connectionString: withoutName(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...config,
  };
  const pool = new pg.Pool(all);
  // An error that nothing listens to ends the process, and a connection can break before whoever asked for it has it.
  pool.on('connect', (client) => client.on('error', (err) => logger.warn({ err }, 'database connection lost')));
  pool.on('error', () => {});
  const connected: Connected = (use) => onConnection(pool, use);
  const pooled = asking((text, values) => connected((client) => runOn(client, text, values)));
  return {
    ...pooled,
    probe: async (Row, text, values) => {
      try {
        return await pooled.rows(Row, text, values);
      } catch (err) {
        // A failover or a firewall breaks connections, and the pool notices each only when it is used or its end arrives.
        logger.debug({ err }, 'database probe failed on a pooled connection, trying a new one');
        return await onNewConnection(all, (sql) => sql.rows(Row, text, values));
      }
    },
    withTransaction: (work) => unlessDeadlocked(() => connected((client) => withTransaction(client, work)), logger),
    executeSql: (text, values) => connected((client) => execute(client, text, values)),
    // The server has its own autovacuum.
    vacuum: async () => {},
    isOpen: () => !pool.ending,
    close: async () => {
      if (!pool.ending) await pool.end();
    },
  };
}

/** The driver prefers an address's `application_name`, which all replicas share, to the replica's own. */
function withoutName(url: string): string {
  const [address = url, ...queries] = url.split('?');
  const parameters = queries.join('?').split('&');
  const others = parameters.filter((parameter) => parameter !== '' && !parameter.startsWith('application_name='));
  return others.length === 0 ? address : `${address}?${others.join('&')}`;
}

async function onNewConnection<Result>(
  config: pg.ClientConfig,
  use: (sql: SqlRows) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config);
  // What breaks it also rejects the connecting or the query.
  client.on('error', () => {});
  try {
    await answered(client.connect());
    return await use(asking(async (text, values) => statementResult(await answered(client.query(text, values)))));
  } finally {
    await client.end();
  }
}

async function runOn(client: pg.ClientBase, text: string, values: unknown[]): Promise<StatementResult> {
  return statementResult(await answered(client.query({ name: nameOf(text), text, values })));
}

/** A statement with a name is planned once a connection, which takes longer than most statements run. */
function nameOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

function statementResult({ rows, rowCount }: pg.QueryResult): StatementResult {
  return { rows, affected: rowCount ?? 0 };
}

/** An error from the server is a `DatabaseError`; any other means that a connection couldn't be made, broke, or is silent. */
async function answered<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof pg.DatabaseError ? error : new StoreTroubleError('not-answering', error);
  }
}

/** What waits for a lock goes on with what the other one has written, whatever the server's default isolation is. */
async function withTransaction<Result>(client: pg.ClientBase, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  await answered(client.query('BEGIN ISOLATION LEVEL READ COMMITTED'));
  const result = await work({
    ...asking((text, values) => runOn(client, text, values)),
    script: async (text) => void (await answered(client.query(text))),
  });
  await answered(client.query('COMMIT'));
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
