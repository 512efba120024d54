import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { z } from 'zod';
import type { Explanation } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { type Db, jsonOf, onlyRow } from './db.ts';
import { statementError } from './errors.ts';
import { sharedConnections } from './server-check.ts';
import { applySettings, rowsOn, SESSION, type Settings, settingsNotKept } from './session.ts';

export interface EnvironmentLocks {
  /** Whether this replica does an environment's work; `null` is what is done once for all. */
  isOurs(environment: string | null): boolean;
  /** Why another replica may not take over from this one, or both may do the same work. */
  lockTrouble(): Explanation | null;
  stop(): Promise<void>;
}

/** How soon another replica takes over. */
const TAKE_EVERY_MS = 2_000;
/** For a connection, and for a statement. */
const ANSWER_MS = 5_000;

/** Neither a host that vanishes nor a process that freezes closes its connections. */
const ENDED_WHEN_SILENT: Settings = {
  ...SESSION,
  idle_session_timeout: '10000',
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

/** In place of an environment: what is done once for all. */
const INSTALLATION = '*';

const TakenRow = z.object({ process: z.number(), taken: z.array(z.string()) });

const lockKey = (name: SQL) => sql`hashtextextended('notif jobs ' || ${name}, 0)`;

const takeStatement = (names: readonly string[]) => sql`
  SELECT pg_backend_pid() AS process, ARRAY(
    SELECT name
    FROM jsonb_array_elements_text(${jsonOf(names)}::jsonb) AS wanted (name)
    WHERE pg_try_advisory_lock(${lockKey(sql`name`)})
  ) AS taken`;

/** What this replica knows of its locks. */
interface Locks {
  readonly logger: Logger;
  /** The environments, and `INSTALLATION`, whose locks it has. */
  readonly held: Set<string>;
  /** Whether their connection was lost, and no other has taken them since. */
  isLost: boolean;
  trouble: Explanation | null;
  /** The server's process, which changes under a connection only behind a pooler; null before its first answer. */
  process: number | null;
}

/** A lock lost unnoticed only costs double work. Never rejects. */
export async function takeEnvironmentLocks(
  url: string,
  environments: readonly string[],
  logger: Logger,
): Promise<EnvironmentLocks> {
  const names = [...environments, INSTALLATION];
  const locks: Locks = { logger, held: new Set(), isLost: false, trouble: null, process: null };
  const timeouts = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, idleTimeoutMillis: 0 };
  const onConnect = (client: pg.ClientBase) => prepare(locks, client);
  // One connection has all locks.
  const pool = new pg.Pool({ connectionString: url, max: 1, ...timeouts, keepAlive: true, onConnect });
  pool.on('error', (error) => noteLoss(locks, error));
  await take(locks, pool, names);
  const timer = setInterval(() => void take(locks, pool, names), TAKE_EVERY_MS);
  return {
    isOurs: (environment) => locks.held.has(environment ?? INSTALLATION),
    lockTrouble: () => locks.trouble,
    async stop() {
      clearInterval(timer);
      if (!pool.ending) await pool.end();
      locks.held.clear();
    },
  };
}

async function prepare(locks: Locks, client: pg.ClientBase): Promise<void> {
  locks.process = null;
  await applySettings(client, ENDED_WHEN_SILENT);
  const settings = await settingsNotKept(client, ENDED_WHEN_SILENT);
  noteTrouble(locks, settings.length === 0 ? null : notKept(settings));
}

async function take(locks: Locks, pool: pg.Pool, names: readonly string[]): Promise<void> {
  try {
    const missing = names.filter((name) => !locks.held.has(name));
    const { process, taken } = onlyRow(await rowsOn(pool, TakenRow, takeStatement(missing)));
    locks.isLost = false;
    for (const name of taken) locks.held.add(name);
    if (taken.length > 0) locks.logger.info({ environments: taken }, 'Environment locks taken');
    if (locks.process !== null && process !== locks.process) noteTrouble(locks, sharedConnections('transaction'));
    locks.process = process;
  } catch (error) {
    noteLoss(locks, error);
  }
}

/** A lost connection has lost its locks. */
function noteLoss(locks: Locks, error: unknown): void {
  locks.held.clear();
  if (locks.isLost) return;
  locks.isLost = true;
  const err = statementError(error);
  locks.logger.warn({ err }, 'Connection of the environment locks lost, another replica may take over');
}

function noteTrouble(locks: Locks, found: Explanation | null): void {
  if (found !== null && found.what !== locks.trouble?.what)
    locks.logger.warn({ trouble: `${found.what} ${found.next}` }, "Environment locks don't work as they should");
  locks.trouble = found;
}

function notKept(settings: readonly string[]): Explanation {
  return {
    what: `The database, or a pooler before it, doesn't keep ${settings.join(', ')}: if this replica freezes, no other takes over from it.`,
    next: "Set the pooler's session mode, or use the server's own address in DATABASE_URL, and restart Notif.",
  };
}

const FreeRow = z.object({ isFree: z.boolean() });

/** Whether no other replica does an environment's work; it doesn't begin to until the transaction ends. */
export async function isFree(tx: Db, environment: string): Promise<boolean> {
  const taking = sql`SELECT pg_try_advisory_xact_lock(${lockKey(sql`${environment}::text`)}) AS is_free`;
  return onlyRow(await tx.rows(FreeRow, taking)).isFree;
}
