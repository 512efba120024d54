import pg from 'pg';
import type { Logger } from '../lib/logger.ts';
import { hashOf } from '../lib/text/hash.ts';
import type { Connect, Engine, Query } from './db.ts';
import { StoreUnusableError, statementError, unusable } from './errors.ts';
import { migrate } from './migrate.ts';

const POOLED =
  "DATABASE_URL leads to a pooler in transaction mode, as PgBouncer's: replicas hold locks on connections of their own. Use its session mode, or the server's own address";
const UNUSABLE =
  'the server of DATABASE_URL could not be opened: check that it runs, its address, database, user and password, and that the user may create tables';

/** DATABASE_URL may override these. `query_timeout` is for a server that is gone. */
const BOUNDS = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 15_000, query_timeout: 20_000 };

export async function openServer(url: string, environments: readonly string[] | undefined, logger: Logger) {
  const common = { connectionString: url, connectionTimeoutMillis: 5_000, types: { getTypeParser } };
  const untimed = poolOf({ ...common, max: 1 }, logger);
  const another = poolOf({ ...common, max: 1 }, logger);
  try {
    if (environments && (await sharesConnections(untimed.connect, another.connect)))
      throw new StoreUnusableError(POOLED);
    await migrate(untimed, logger);
  } catch (cause) {
    throw unusable(UNUSABLE, cause);
  } finally {
    await Promise.all([untimed.close(), another.close()]);
  }
  const engine = poolOf({ ...common, ...BOUNDS, max: 10, maxLifetimeSeconds: 600 }, logger);
  const locks = environments && (await takeEnvironmentLocks(url, environments, logger));
  const close = () => Promise.resolve(locks?.stop()).then(engine.close);
  return { ...engine, isOurs: locks?.isOurs ?? (() => true), close };
}

/** Without a pooler, each client keeps a process to itself. */
export async function sharesConnections(client: Connect, another: Connect) {
  const ask = async (connect: Connect) => JSON.stringify(await connect((query) => query('SELECT pg_backend_pid()')));
  const process = await ask(client);
  return process !== (await ask(client)) || process === (await ask(another));
}

function poolOf(config: pg.PoolConfig, logger: Logger): Engine {
  const pool = new pg.Pool({ ...config, application_name: 'notif', keepAlive: true });
  // An error without a listener would end Notif.
  const lost = (error: Error) => logger.warn({ err: statementError(error) }, 'Database connection lost');
  pool.on('connect', (client) => client.on('error', lost));
  pool.on('error', () => {});
  return { connect: (use) => onConnection(pool, use), close: () => pool.end() };
}

/** A bigint is a number, as in PGlite, not text. */
const getTypeParser: typeof pg.types.getTypeParser = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);

/** Closes the connection after an error, as it may be in a transaction. */
async function onConnection<Result>(pool: pg.Pool, use: (query: Query) => Promise<Result>) {
  const client = await answered(pool.connect());
  try {
    const result = await use(async (text, values = [], rowMode) => {
      // A named statement is planned once a connection, which halves the work.
      const statement = { name: hashOf(text, 32), text, values: [...values], ...(rowMode === 'array' && { rowMode }) };
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

function answered<Result>(answer: Promise<Result>) {
  return answer.catch((error: unknown) => {
    throw statementError(error);
  });
}

const TAKE_EVERY_MS = 2_000;
const ANSWER_MS = 5_000;

/** Neither a host that vanishes nor a process that freezes closes its connections. */
const ENDED_WHEN_SILENT =
  '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c idle_session_timeout=10000';

const TAKE = `SELECT name FROM unnest($1::text[]) AS name WHERE pg_try_advisory_lock(hashtextextended('notif jobs ' || name, 0))`;

const INSTALLATION = '*';

/** A lock lost unnoticed only costs double work. Never rejects. */
export async function takeEnvironmentLocks(url: string, environments: readonly string[], logger: Logger) {
  const names = [...environments, INSTALLATION];
  const held = new Set<string>();
  let isLost = false;
  const timeouts = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, idleTimeoutMillis: 0 };
  const pool = new pg.Pool({ connectionString: url, max: 1, ...timeouts, keepAlive: true, options: ENDED_WHEN_SILENT });
  const lose = (error: unknown) => {
    held.clear();
    if (isLost) return;
    isLost = true;
    const err = statementError(error);
    logger.warn({ err }, 'Connection of the environment locks lost, another replica may take over');
  };
  pool.on('error', lose);

  async function take() {
    try {
      const { rows } = await pool.query<{ name: string }>(TAKE, [names.filter((name) => !held.has(name))]);
      isLost = false;
      for (const { name } of rows) held.add(name);
      if (rows.length > 0) logger.info({ environments: rows.map(({ name }) => name) }, 'Environment locks taken');
    } catch (error) {
      lose(error);
    }
  }

  await take();
  const timer = setInterval(() => void take(), TAKE_EVERY_MS);
  return {
    isOurs: (environment: string | null) => held.has(environment ?? INSTALLATION),
    async stop() {
      clearInterval(timer);
      if (!pool.ending) await pool.end();
      held.clear();
    },
  };
}
