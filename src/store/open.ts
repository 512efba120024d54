import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type StoreTrouble, StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';
import { type Db, type DbOptions, dbOn } from './db.ts';
import { type Opened, openEmbedded } from './embedded.ts';

export type DatabasePlace =
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'embedded'; readonly folder: string };

export interface OpenOptions extends DbOptions {
  readonly logger: Logger;
  /** How long a server may take for a statement. */
  readonly statementMs?: number;
}

export interface OpenDb extends Opened {
  readonly db: Db;
}

/**
 * Opens the database and migrates it. While it doesn't answer or accepts no writes, statements reject with `StoreTroubleError`. Throws
 * `StoreUnusableError`.
 */
export async function openDb(place: DatabasePlace, options: OpenOptions): Promise<OpenDb> {
  const { logger, onLost, statementMs } = options;
  if (place.kind === 'embedded') {
    const embedded = await openEmbedded(place.folder, logger, onLost);
    return { ...embedded, db: dbOn(embedded.connect, options) };
  }
  // The driver takes 15 MB.
  const { openServer } = await import('./server.ts');
  const server = await openServer(place.url, logger, statementMs);
  return { ...server, db: dbOn(server.connect, options) };
}

const AcceptsRow = z.object({ read_only: z.boolean() });

/** A standby, or a server with `default_transaction_read_only`, answers but accepts no writes. */
const ACCEPTS =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS read_only FROM kv WHERE key = 'migrations'";
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
