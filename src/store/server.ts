import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';
import { type Connect, dbOn, type Query } from './db.ts';
import type { Opened } from './embedded.ts';
import { DatabaseUnavailableError, OtherVersionError, statementError } from './errors.ts';
import { migrate } from './migrate.ts';

/** A replica's polls, deliveries and people's commands rarely need more than five connections at once. */
const MOST_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of Notif's takes over a second; one that takes fifteen is stuck behind a lock or a failing disk. */
const STATEMENT_MS = 15_000;

/**
 * Opens a pool of connections to a PostgreSQL server and migrates it. A broken connection is replaced at the next statement, so a server
 * that was down is used again when it is back. A statement not answered within `statementMs`, or a third more if the server is gone without
 * notice, rejects. Throws `DatabaseUnavailableError` and `OtherVersionError`.
 */
export async function openServer(url: string, logger: Logger, statementMs = STATEMENT_MS): Promise<Opened> {
  // The server, and who counts replicas, distinguish the processes by it.
  const name = `notif-${randomUUID().slice(0, 8)}`;
  const common = {
    connectionString: withoutName(url),
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  };
  // A migration, or waiting for another replica's, can take long.
  const unhurried = poolOf({ ...common, max: 1 }, logger);
  try {
    await migrate(dbOn(unhurried.connect, { logger }));
  } catch (error) {
    throw error instanceof OtherVersionError ? error : new DatabaseUnavailableError(error);
  } finally {
    await unhurried.close();
  }
  const bounds = { statement_timeout: statementMs, idle_in_transaction_session_timeout: statementMs };
  const query_timeout = Math.ceil((statementMs * 4) / 3);
  return poolOf({ ...common, max: MOST_CONNECTIONS, ...bounds, query_timeout }, logger);
}

function poolOf(config: pg.PoolConfig, logger: Logger): Opened {
  const pool = new pg.Pool(config);
  // An error that nothing listens to ends the process, and a connection can break before whoever waits for it has it.
  pool.on('connect', (client) => client.on('error', (err) => logger.warn({ err }, 'database connection lost')));
  pool.on('error', () => {});
  const running = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  const connect: Connect = async (use) => {
    if (closed !== undefined) throw new StoreTroubleError('not-answering', new Error('the database is closed'));
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

  return {
    connect,
    // A server has its own autovacuum.
    vacuum: async () => {},
    close: () => {
      closed ??= close();
      return closed;
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

/** A bigint is a number, as PGlite has it; the driver's own is text. */
const getTypeParser: typeof pg.types.getTypeParser = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);

/** A connection on which something failed may be in a transaction, so it is closed, which rolls back, instead of reused. */
async function onConnection<Result>(pool: pg.Pool, use: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await answered(pool.connect());
  try {
    const result = await use(queryOn(client));
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

function queryOn(client: pg.ClientBase): Query {
  return async ({ text, values, rowMode, isFixed }) => {
    const name = isFixed ? createHash('sha1').update(text).digest('base64') : undefined;
    const { rows, rowCount } = await answered(
      client.query({ ...(name !== undefined && { name }), text, values, ...(rowMode === 'array' && { rowMode }) }),
    );
    return { rows, affected: rowCount ?? 0 };
  };
}

async function answered<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    throw statementError(error);
  }
}
