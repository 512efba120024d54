import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Logger } from '../lib/logger.ts';
import type { Engine, Query } from './db.ts';
import { StoreUnusableError, statementError } from './errors.ts';
import { migrate } from './migrate.ts';

const MOST_CONNECTIONS = 10;
const STATEMENT_MS = 15_000;

const UNUSABLE =
  'the server of DATABASE_URL could not be opened: check that it runs, its address, user and password, and that the user may create tables';

/** What isn't answered within `statementMs`, or a third more if the server is gone, rejects. */
export async function openServer(url: string, logger: Logger, statementMs = STATEMENT_MS): Promise<Engine> {
  const address = new URL(url);
  address.searchParams.set('application_name', `notif-${randomUUID().slice(0, 8)}`);
  const common = {
    connectionString: address.href,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: { getTypeParser },
  };
  const unhurried = poolOf({ ...common, max: 1 }, logger);
  try {
    await migrate(unhurried, logger);
  } catch (cause) {
    if (cause instanceof StoreUnusableError) throw cause;
    throw new StoreUnusableError(UNUSABLE, { cause });
  } finally {
    await unhurried.close();
  }
  const bounds = { statement_timeout: statementMs, idle_in_transaction_session_timeout: statementMs };
  const unanswered = { query_timeout: Math.ceil((statementMs * 4) / 3) };
  return poolOf({ ...common, max: MOST_CONNECTIONS, ...bounds, ...unanswered }, logger);
}

function poolOf(config: pg.PoolConfig, logger: Logger): Engine {
  const pool = new pg.Pool(config);
  // An error that nothing listens to ends the process.
  pool.on('connect', (client) => client.on('error', (err) => logger.warn({ err }, 'Database connection lost')));
  pool.on('error', () => {});
  return { connect: (use) => onConnection(pool, use), close: () => pool.end() };
}

/** A bigint is a number, as PGlite has it; the driver's own is text. */
const getTypeParser: typeof pg.types.getTypeParser = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);

/** After an error it may be in a transaction, so it is closed. */
async function onConnection<Result>(pool: pg.Pool, use: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await answered(pool.connect());
  try {
    const result = await use(async (text, values = [], rowMode) => {
      const statement = { text, values: [...values], ...(rowMode === 'array' && { rowMode }) };
      const { rows, rowCount } = await answered(client.query<pg.QueryResultRow>(statement));
      return { rows, affected: rowCount ?? 0 };
    });
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

function answered<Result>(answer: Promise<Result>): Promise<Result> {
  return answer.catch((error: unknown) => {
    throw statementError(error);
  });
}
