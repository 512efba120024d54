import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import { type StoreTrouble, StoreTroubleError } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import type { Observer } from '../domain/observer.ts';
import { type Db, dbOn, type StatementOutcome } from './db.ts';
import { type Opened, openEmbedded } from './embedded.ts';
import { DatabaseUnavailableError } from './errors.ts';

export type DatabasePlace =
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'embedded'; readonly folder: string };

export interface OpenOptions {
  readonly logger: Logger;
  readonly observe?: Observer<StatementOutcome>;
  /** The embedded database has ended: only a new process helps. A server that is down recovers by itself. */
  readonly onLost?: (reason: Error) => void;
  /** How long a server may take for a statement. */
  readonly statementMs?: number;
}

export interface OpenDb extends Opened {
  readonly db: Db;
}

/**
 * Opens the database and migrates it. While it doesn't answer or accepts no writes, statements reject with `StoreTroubleError`. Throws
 * `DatabaseUnavailableError`, `DataFolderLockedError` or `DataFolderUnusableError`, each with what to do next.
 */
export async function openDb(place: DatabasePlace, options: OpenOptions): Promise<OpenDb> {
  const { logger, onLost } = options;
  if (place.kind === 'server') return openOnServer(place.url, options);
  const embedded = await openEmbedded(place.folder, onLost);
  await migrate(dbOn(embedded.connect, { logger }));
  if (embedded.isNew) logger.info({ folder: place.folder }, `New database made in ${place.folder}`);
  return { ...embedded, db: dbOn(embedded.connect, options) };
}

/** The driver takes 15 MB, so it's loaded only with a server. */
async function openOnServer(url: string, options: OpenOptions): Promise<OpenDb> {
  const { openServer, replicaName } = await import('./server.ts');
  const name = replicaName();
  const unhurried = openServer(url, name, options.logger, null);
  try {
    await migrate(dbOn(unhurried.connect, options));
  } catch (error) {
    throw new DatabaseUnavailableError(error);
  } finally {
    await unhurried.close();
  }
  const server = openServer(url, name, options.logger, options.statementMs);
  return { ...server, db: dbOn(server.connect, options) };
}

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const AppliedRow = z.object({ version: z.string() });

/** 'noti' in ASCII. A migrating process holds this advisory lock, so that replicas starting at once take turns. */
const MIGRATION_LOCK = 0x6e_6f_74_69;

/** Applies all missing migrations, or none. After a release they only ever add, so that its replicas go on while they're replaced. */
function migrate(db: Db): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.write('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await tx.write('CREATE TABLE IF NOT EXISTS migrations (version text PRIMARY KEY, applied_at timestamptz NOT NULL)');
    const applied = new Set(
      (await tx.rows(AppliedRow, 'SELECT version FROM migrations')).map(({ version }) => version),
    );
    for (const { sql, hash } of readMigrationFiles({ migrationsFolder: MIGRATIONS })) {
      if (applied.has(hash)) continue;
      for (const statement of sql) await tx.write(statement);
      await tx.write('INSERT INTO migrations (version, applied_at) VALUES ($1, now())', [hash]);
    }
  });
}

const AcceptsRow = z.object({ read_only: z.boolean() });

/** A standby, or a server with `default_transaction_read_only`, answers but accepts no writes. */
const ACCEPTS = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS read_only";

const ANSWER_MS = 3_000;

/** Returns why the database can't be used, or not fully; null if it can. */
export function storeTrouble(db: Db): Promise<StoreTrouble | null> {
  return Promise.race([troubleOf(db), wait(ANSWER_MS, 'not-answering' as const, { ref: false })]);
}

async function troubleOf(db: Db): Promise<StoreTrouble | null> {
  try {
    const [row] = await db.rows(AcceptsRow, ACCEPTS);
    return row?.read_only === true ? 'read-only' : null;
  } catch (error) {
    if (error instanceof StoreTroubleError) return error.trouble;
    throw error;
  }
}
