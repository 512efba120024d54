import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Logger } from '../../domain/logger.ts';
import { BOUNDS } from './bounds.ts';
import { asking, type Database, type SqlRows } from './database.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { migrate } from './migrate.ts';
import { answered, databaseOn, statementResult } from './pool.ts';

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
  const database = databaseOn(new pg.Pool(all), logger);
  return {
    ...database,
    probe: async (Row, text, values) => {
      try {
        return await database.rows(Row, text, values);
      } catch (err) {
        // A failover or a firewall breaks connections, and the pool notices each only when it is used or its end arrives.
        logger.debug({ err }, 'database probe failed on a pooled connection, trying a new one');
        return await onNewConnection(all, (sql) => sql.rows(Row, text, values));
      }
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
