import pg from 'pg';
import type { Logger } from '../lib/logger.ts';

export interface EnvironmentLocks {
  isOurs(environment: string | null): boolean;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 2_000;
const ANSWER_MS = 5_000;

/** A host that vanishes doesn't close its connections. */
const KEEPALIVES = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

const TAKE = `
  SELECT name FROM unnest($1::text[]) AS name WHERE pg_try_advisory_lock(hashtextextended('notif jobs ' || name, 0))`;

const INSTALLATION = '*';

/** A lock lost unnoticed only costs double work. Never rejects. */
export async function takeEnvironmentLocks(
  url: string,
  environments: readonly string[],
  logger: Logger,
): Promise<EnvironmentLocks> {
  const names = [...environments, INSTALLATION];
  const held = new Set<string>();
  const timeouts = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, idleTimeoutMillis: 0 };
  const pool = new pg.Pool({ connectionString: url, max: 1, ...timeouts, keepAlive: true, options: KEEPALIVES });
  const lose = (err: unknown) => {
    held.clear();
    logger.warn({ err }, 'Connection of the environment locks lost, another replica may take over');
  };
  pool.on('error', lose);

  async function take(): Promise<void> {
    try {
      const { rows } = await pool.query<{ name: string }>(TAKE, [names.filter((name) => !held.has(name))]);
      for (const { name } of rows) held.add(name);
      if (rows.length > 0) logger.info({ environments: rows.map(({ name }) => name) }, 'Environment locks taken');
    } catch (error) {
      lose(error);
    }
  }

  await take();
  const timer = setInterval(() => void take(), LOOK_EVERY_MS);
  return {
    isOurs: (environment) => held.has(environment ?? INSTALLATION),
    async stop() {
      clearInterval(timer);
      if (!pool.ending) await pool.end();
      held.clear();
    },
  };
}
