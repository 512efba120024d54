import { sql } from 'drizzle-orm';
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

/** So soon another replica takes over. */
const TAKE_EVERY_MS = 2_000;
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

const takeStatement = (names: readonly string[]) => sql`
  SELECT pg_backend_pid() AS process, ARRAY(
    SELECT name
    FROM jsonb_array_elements_text(${jsonOf(names)}::jsonb) AS wanted (name)
    WHERE pg_try_advisory_lock(hashtextextended('notif jobs ' || name, 0))
  ) AS taken`;

/** A lock lost unnoticed only costs double work. Never rejects. */
export async function takeEnvironmentLocks(
  url: string,
  environments: readonly string[],
  logger: Logger,
): Promise<EnvironmentLocks> {
  const names = [...environments, INSTALLATION];
  const held = new Set<string>();
  let isLost = false;
  let trouble: Explanation | null = null;
  let serverProcess: number | null = null;
  const timeouts = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, idleTimeoutMillis: 0 };
  const pool = new pg.Pool({ connectionString: url, max: 1, ...timeouts, keepAlive: true, onConnect: prepare });
  const lose = (error: unknown) => {
    held.clear();
    if (isLost) return;
    isLost = true;
    const err = statementError(error);
    logger.warn({ err }, 'Connection of the environment locks lost, another replica may take over');
  };
  pool.on('error', lose);

  async function prepare(client: pg.ClientBase) {
    serverProcess = null;
    await applySettings(client, ENDED_WHEN_SILENT);
    const settings = await settingsNotKept(client, ENDED_WHEN_SILENT);
    note(settings.length === 0 ? null : notKept(settings));
  }

  function note(found: Explanation | null) {
    if (found !== null && found.what !== trouble?.what)
      logger.warn({ trouble: `${found.what} ${found.next}` }, "Environment locks don't work as they should");
    trouble = found;
  }

  async function take() {
    try {
      const missing = names.filter((name) => !held.has(name));
      const { process, taken } = onlyRow(await rowsOn(pool, TakenRow, takeStatement(missing)));
      isLost = false;
      for (const name of taken) held.add(name);
      if (taken.length > 0) logger.info({ environments: taken }, 'Environment locks taken');
      if (serverProcess !== null && process !== serverProcess) note(sharedConnections('transaction'));
      serverProcess = process;
    } catch (error) {
      lose(error);
    }
  }

  await take();
  const timer = setInterval(() => void take(), TAKE_EVERY_MS);
  return {
    isOurs: (environment) => held.has(environment ?? INSTALLATION),
    lockTrouble: () => trouble,
    async stop() {
      clearInterval(timer);
      if (!pool.ending) await pool.end();
      held.clear();
    },
  };
}

function notKept(settings: readonly string[]): Explanation {
  return {
    what: `The database, or a pooler before it, doesn't keep ${settings.join(', ')}: if this replica freezes, no other takes over from it.`,
    next: "Set the pooler's session mode, or use the server's own address in DATABASE_URL, and restart Notif.",
  };
}

/** Whether no other replica does an environment's work; it doesn't begin to until the transaction ends. */
export async function isFree(tx: Db, environment: string): Promise<boolean> {
  const FreeRow = z.object({ isFree: z.boolean() });
  const taking = sql`SELECT pg_try_advisory_xact_lock(hashtextextended('notif jobs ' || ${environment}::text, 0)) AS is_free`;
  return onlyRow(await tx.rows(FreeRow, taking)).isFree;
}
