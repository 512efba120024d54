import { z } from 'zod';
import { type Db, type DbOptions, dbOn, type Engine } from './db.ts';
import { openEmbedded } from './embedded.ts';

export type DatabasePlace = { kind: 'server'; url: string } | { kind: 'embedded'; folder: string };

export interface OpenDb extends Engine {
  db: Db;
  vacuum(signal?: AbortSignal): Promise<void>;
}

export async function openDb(place: DatabasePlace, options: DbOptions & { statementMs?: number }): Promise<OpenDb> {
  const { logger, statementMs } = options;
  if (place.kind === 'embedded') {
    const engine = await openEmbedded(place.folder, logger);
    const db = dbOn(engine.connect, options);
    return { ...engine, db, vacuum: (signal) => vacuum(db, signal) };
  }
  const { openServer } = await import('./server.ts');
  const engine = await openServer(place.url, logger, statementMs);
  return { ...engine, db: dbOn(engine.connect, options), vacuum: async () => {} };
}

const TableRow = z.object({ relname: z.string() });

/** PGlite has no autovacuum. By table, so that others get a turn. */
async function vacuum(db: Db, signal?: AbortSignal): Promise<void> {
  for (const { relname } of await db.rows(TableRow, 'SELECT relname FROM pg_stat_user_tables')) {
    if (signal?.aborted !== true) await db.write(`VACUUM ANALYZE ${relname}`);
  }
}
