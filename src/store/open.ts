import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, type DbOptions, dbOn, type Engine } from './db.ts';
import { openEmbedded } from './embedded.ts';
import type { EnvironmentLocks } from './replica-locks.ts';

export type DatabasePlace = { kind: 'server'; url: string } | { kind: 'embedded'; folder: string };

export interface OpenDb extends Engine, Omit<EnvironmentLocks, 'stop'> {
  db: Db;
  vacuum(signal?: AbortSignal): Promise<void>;
  /** Removes deleted data from an embedded database's files. */
  rewrite(): Promise<void>;
}

/** No locks: in an embedded database, or on a server without `environments`. */
const WITHOUT_LOCKS = { isOurs: () => true, lockTrouble: () => null };

/** Replicas share the work of `environments` by locks. */
type OpenOptions = DbOptions & { environments?: readonly string[] };

export async function openDb(place: DatabasePlace, options: OpenOptions): Promise<OpenDb> {
  const { logger, environments } = options;
  if (place.kind === 'embedded') {
    const engine = await openEmbedded(place.folder, logger);
    const db = dbOn(engine.connect, options);
    return { ...WITHOUT_LOCKS, ...engine, db, vacuum: (signal) => vacuum(db, signal), rewrite: () => rewrite(db) };
  }
  // The driver takes 15 MB.
  const { openServer } = await import('./server.ts');
  const server = await openServer(place.url, environments, logger);
  return {
    ...WITHOUT_LOCKS,
    ...server,
    db: dbOn(server.connect, options),
    vacuum: async () => {},
    rewrite: async () => {},
  };
}

const TextRow = z.object({ text: z.string() });

/** Statements that vacuum each table, and count its rows anew (ANALYZE) only where a tenth of them changed. */
const VACUUMS = sql`
  SELECT format('VACUUM (ANALYZE %s) %I', (n_mod_since_analyze > n_live_tup / 10)::text, relname) AS text
  FROM pg_stat_user_tables`;

/** PGlite has no autovacuum. Between tables, other statements run. */
async function vacuum(db: Db, signal?: AbortSignal): Promise<void> {
  for (const { text } of await db.rows(TextRow, VACUUMS)) if (signal?.aborted !== true) await db.write(text);
}

/** With `wal_recycle`, PostgreSQL would reuse the log's old files, and deleted data in them. */
const REWRITE = ['ANALYZE', 'VACUUM FULL', 'SET wal_recycle = off', 'SELECT pg_switch_wal()', 'CHECKPOINT'];

async function rewrite(db: Db) {
  for (const statement of REWRITE) await db.write(statement);
}
