import pg from 'pg';
import { systemCode } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { hashOf } from '../lib/text/hash.ts';
import { type Engine, parseJson, type Query } from './db.ts';
import { statementError, unusable } from './errors.ts';
import { migrate } from './migrate.ts';
import { type EnvironmentLocks, takeEnvironmentLocks } from './replica-locks.ts';
import { checkServer, MOST_CONNECTIONS } from './server-check.ts';
import { applySettings, SESSION, type Settings } from './session.ts';

const REFUSALS: readonly (readonly [code: RegExp, problem: string])[] = [
  [/^28/, 'the server of DATABASE_URL refuses the login: check its user and password'],
  [/^3D000$/, 'the server of DATABASE_URL has no database of that name: create it, or correct the name'],
  [
    /^42501$/,
    'the user of DATABASE_URL lacks a right: make it the owner of the database, or grant what docs/configuration.md lists',
  ],
];
const UNOPENED = 'the server of DATABASE_URL could not be opened: check that it runs, the address and the port';

/** The server ends what takes longer, in milliseconds. DATABASE_URL may override these. */
const BOUNDS: Settings = { statement_timeout: '15000', idle_in_transaction_session_timeout: '15000' };

/** Longer than the server's own bounds: whoever hasn't answered by then is gone. */
const ANSWER_MS = 20_000;
/** Keeps what a connection's plans take small. */
const LONGEST_CONNECTION_SECONDS = 600;

/** Without `environments`, the locks of environments aren't taken. */
export async function openServer(
  url: string,
  environments: readonly string[] | undefined,
  logger: Logger,
): Promise<Engine & Partial<Omit<EnvironmentLocks, 'stop'>>> {
  const common = { connectionString: url, connectionTimeoutMillis: 5_000, types: { getTypeParser } };
  const untimed = poolOf({ ...common, max: 1 }, SESSION, logger);
  try {
    await checkServer(url);
    await migrate(untimed, logger);
  } catch (cause) {
    const code = systemCode(cause) ?? '';
    throw unusable(REFUSALS.find(([codes]) => codes.test(code))?.[1] ?? UNOPENED, cause);
  } finally {
    await untimed.close();
  }
  const timed = {
    ...common,
    query_timeout: ANSWER_MS,
    max: MOST_CONNECTIONS,
    maxLifetimeSeconds: LONGEST_CONNECTION_SECONDS,
  };
  const engine = poolOf(timed, { ...SESSION, ...BOUNDS, ...boundsIn(url) }, logger);
  const locks = environments && (await takeEnvironmentLocks(url, environments, logger));
  const close = () => Promise.resolve(locks?.stop()).then(engine.close);
  return { ...engine, ...(locks && { isOurs: locks.isOurs, lockTrouble: locks.lockTrouble }), close };
}

function boundsIn(url: string): Settings {
  const given = new URLSearchParams(url.split('?')[1]);
  return Object.fromEntries([...given].filter(([name]) => name in BOUNDS));
}

function poolOf(config: pg.PoolConfig, settings: Settings, logger: Logger): Engine {
  const onConnect = (client: pg.ClientBase) => applySettings(client, settings);
  const pool = new pg.Pool({ ...config, application_name: 'notif', keepAlive: true, onConnect });
  // An error without a listener would end Notif.
  const lost = (error: Error) => logger.warn({ err: statementError(error) }, 'Database connection lost');
  pool.on('connect', (client) => client.on('error', lost));
  pool.on('error', () => {});
  const nameOf = createNames();
  return { connect: (use) => onConnection(pool, nameOf, use), close: () => pool.end() };
}

/** A named statement is planned once a connection, which halves the work. */
function createNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? hashOf(text, 32);
    names.set(text, name);
    return name;
  };
}

/** A bigint is a number, as in PGlite, not text. */
const getTypeParser: typeof pg.types.getTypeParser = (id, format) => {
  if (id === pg.types.builtins.JSONB) return parseJson;
  return id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
};

/** Closes the connection after an error, as it may be in a transaction. */
async function onConnection<Result>(
  pool: pg.Pool,
  nameOf: (text: string) => string,
  use: (query: Query) => Promise<Result>,
) {
  const client = await answered(pool.connect());
  try {
    const result = await use(async (text, values = [], rowMode) => {
      const statement = { name: nameOf(text), text, values: [...values], ...(rowMode === 'array' && { rowMode }) };
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
