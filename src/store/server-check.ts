import { sql } from 'drizzle-orm';
import pg from 'pg';
import { z } from 'zod';
import { type Explanation, systemCode } from '../lib/errors.ts';
import { onlyRow } from './db.ts';
import { StoreUnusableError } from './errors.ts';
import { applySettings, rowsOn, SESSION, settingsNotKept } from './session.ts';

/** At most, for statements. */
export const MOST_CONNECTIONS = 10;

/** With the one of the environment locks. */
const CONNECTIONS = MOST_CONNECTIONS + 1;
const TOO_FEW = `the server or pooler of DATABASE_URL has too few connections, and a replica opens up to ${CONNECTIONS}: raise max_connections, the CONNECTION LIMIT of the role or database, or PgBouncer's default_pool_size`;

/** For a connection, and for each question: a server that is up answers in milliseconds. */
const ANSWER_MS = 5_000;

/** What a pooler's other clients do between two questions can hide that connections are shared. */
const ROUNDS = 10;

/** PgBouncer's words for what the address asks for. */
const REFUSED_PARAMETER = /unsupported startup parameter(?: in options)?: (\w+)/;

/** Throws what has to be changed, in words, where Notif would break. */
export async function checkServer(url: string): Promise<void> {
  const [client, another] = [newClient(url), newClient(url)];
  try {
    await refuseSharedConnections(client, another);
    await applySettings(client, SESSION);
    const problems = await problemsOn(client);
    if (problems.length > 0)
      throw new StoreUnusableError(`the database of DATABASE_URL can't serve Notif: ${problems.join('; ')}`);
  } catch (cause) {
    throw refusalInWords(cause);
  } finally {
    await Promise.all([client.end(), another.end()]);
  }
}

function refusalInWords(cause: unknown): unknown {
  if (systemCode(cause) === '53300') return new StoreUnusableError(TOO_FEW, { cause });
  const [, parameter] = REFUSED_PARAMETER.exec(String(cause)) ?? [];
  if (parameter === undefined) return cause;
  const problem = `a pooler refuses ${parameter} in DATABASE_URL: remove it there, or add it to PgBouncer's ignore_startup_parameters`;
  return new StoreUnusableError(problem, { cause });
}

function newClient(connectionString: string) {
  const timeouts = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = new pg.Client({ connectionString, ...timeouts, application_name: 'notif' });
  // An error without a listener would end Notif. The next statement fails with it.
  client.on('error', () => {});
  return client;
}

export function sharedConnections(mode: 'transaction' | 'statement'): Explanation {
  return {
    what: `DATABASE_URL leads to a pooler in ${mode} mode, whose clients share connections, and replicas hold locks on theirs.`,
    next: "Set its session mode (PgBouncer: pool_mode = session), or use the server's own address, and restart Notif.",
  };
}

const shared = (mode: 'transaction' | 'statement', cause?: unknown) => {
  const { what, next } = sharedConnections(mode);
  return new StoreUnusableError(`${what} ${next}`, { cause });
};

async function refuseSharedConnections(client: pg.Client, another: pg.Client) {
  const processOf = async (connection: pg.Client) =>
    JSON.stringify((await connection.query('SELECT pg_backend_pid()')).rows);
  await client.connect();
  const process = await processOf(client);
  await another.connect();
  for (let round = 0; round < ROUNDS; round += 1) {
    await begin(another);
    // A pooler of a single connection would let the first client wait for the end of the transaction.
    if (process === (await processOf(another)) || process !== (await processOf(client))) throw shared('transaction');
    await another.query('COMMIT');
  }
}

async function begin(client: pg.Client) {
  try {
    await client.query('BEGIN');
  } catch (cause) {
    if (systemCode(cause) === '08P01') throw shared('statement', cause);
    // PgBouncer accepts a client for whom it has no connection, and lets it wait.
    if (/timeout/.test(String(cause))) throw new StoreUnusableError(TOO_FEW, { cause });
    throw cause;
  }
}

const ServerRow = z.object({
  version: z.string(),
  isOld: z.boolean(),
  encoding: z.string(),
  isStandby: z.boolean(),
  isReadOnly: z.boolean(),
  hasSchema: z.boolean(),
  /** Null: it has no tables yet. */
  canWrite: z.boolean().nullable(),
  replicationRole: z.string(),
  limit: z.number().nullable(),
});

const SERVER = sql`
  SELECT
    current_setting('server_version') AS version,
    current_setting('server_version_num')::integer < 140000 AS "isOld",
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() AS "isStandby",
    current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
    current_schema() IS NOT NULL AS "hasSchema",
    has_table_privilege(to_regclass('kv'), 'INSERT') AND has_table_privilege(to_regclass('kv'), 'UPDATE') AS "canWrite",
    current_setting('session_replication_role') AS "replicationRole",
    CASE WHEN NOT r.rolsuper THEN least(nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) END AS limit
  FROM pg_roles r
  CROSS JOIN pg_database d
  WHERE r.rolname = session_user AND d.datname = current_database()`;

async function problemsOn(client: pg.Client) {
  const problems: string[] = [];
  const notKept = await settingsNotKept(client, SESSION);
  if (notKept.length > 0)
    problems.push(`${notKept.join(', ')} can't be set: use a pooler's session mode, or the server's own address`);
  const server = onlyRow(await rowsOn(client, ServerRow, SERVER));
  const { version, encoding, replicationRole, limit } = server;
  if (server.isOld) problems.push(`its PostgreSQL is ${version}: upgrade it to 14 or newer`);
  if (encoding !== 'UTF8')
    problems.push(
      `its encoding ${encoding} lacks characters of failures: create one with ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`,
    );
  if (server.isStandby) problems.push('its server is a standby: use the address of the primary');
  else if (server.isReadOnly)
    problems.push('default_transaction_read_only is on: reset it for the role, the database or the server');
  if (!server.hasSchema)
    problems.push('its schema public is missing or closed: GRANT USAGE, CREATE ON SCHEMA public to the user');
  if (server.canWrite === false) problems.push("its user can't write Notif's tables: make it their owner");
  if (replicationRole !== 'origin')
    problems.push(`session_replication_role is ${replicationRole}: reset it for the role, the database or the server`);
  if (limit !== null && limit < CONNECTIONS)
    problems.push(`its CONNECTION LIMIT is ${limit}, and a replica opens up to ${CONNECTIONS}: raise it`);
  return problems;
}
