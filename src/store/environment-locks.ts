import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../lib/logger.ts';

/** Which environments' jobs this replica runs. */
export interface EnvironmentLocks {
  /** Null stands for the jobs of the whole installation. */
  isOurs(environment: string | null): boolean;
  /** Frees the locks for other replicas. */
  stop(): Promise<void>;
}

/** How soon another replica takes over from one that is gone, and how long a replica goes on that has lost its connection unnoticed. */
const LOOK_EVERY_MS = 2_000;
const ANSWER_MS = 5_000;

/** A host that vanishes doesn't close its connections: the server finds out itself, and frees the locks, after half a minute. */
const KEEPALIVES = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/** Takes what is free of these locks, which the server holds for as long as the connection lasts. */
const TAKE = `
  SELECT name FROM unnest($1::text[]) AS name WHERE pg_try_advisory_lock(hashtextextended('notif jobs ' || name, 0))`;

/** The lock of the installation's jobs; no environment has this name. */
const INSTALLATION = '*';

/**
 * Takes the lock of each environment that no other replica has, on a connection of its own, and goes on trying for the others. A lock that
 * is lost unnoticed costs double work and nothing else: what jobs do is safe to do twice. Resolves after the first try; never rejects.
 */
export async function takeEnvironmentLocks(
  url: string,
  environments: readonly string[],
  logger: Logger,
): Promise<EnvironmentLocks> {
  const names = [...environments, INSTALLATION];
  const held = new Set<string>();
  const stopping = new AbortController();
  let client: pg.Client | null = null;

  function lose(err: unknown): void {
    if (client === null) return;
    if (held.size > 0) logger.warn({ err }, 'connection of the environment locks lost, another replica may take over');
    held.clear();
    // Lost already, whatever its end comes to.
    void client.end().catch(() => {});
    client = null;
  }

  async function connect(): Promise<pg.Client> {
    const connecting = new pg.Client({
      ...{ connectionString: url, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS },
      ...{ keepAlive: true, options: KEEPALIVES },
    });
    connecting.on('error', (err) => {
      if (client === connecting) lose(err);
    });
    client = connecting;
    await connecting.connect();
    return connecting;
  }

  /** Asks also when all locks are held: an unanswered question shows that they are lost. */
  async function take(): Promise<void> {
    try {
      const current = client ?? (await connect());
      const { rows } = await current.query<{ name: string }>(TAKE, [names.filter((name) => !held.has(name))]);
      if (current !== client) return;
      for (const { name } of rows) held.add(name);
      if (rows.length > 0) logger.info({ environments: rows.map(({ name }) => name) }, 'environment locks taken');
    } catch (err) {
      logger.debug({ err }, "environment locks couldn't be taken");
      lose(err);
    }
  }

  async function goOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await wait(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await take();
    }
  }

  await take();
  const ended = goOn();
  return {
    isOurs: (environment) => held.has(environment ?? INSTALLATION),
    async stop() {
      stopping.abort();
      await ended;
      held.clear();
      await client?.end();
    },
  };
}
