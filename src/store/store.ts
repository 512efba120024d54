import { createTraffic } from '../domain/failures/traffic.ts';
import type { StoreTrouble } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import { audit } from './changes/audit.ts';
import { triggers } from './changes/triggers.ts';
import { BOUNDS, type StoreBounds } from './database/bounds.ts';
import type { Database } from './database/database.ts';
import { type DatabaseThread, startThread } from './database/embedded/thread.ts';
import { type EmbeddedDatabase, openEmbedded } from './database/embedded.ts';
import { guardedDatabase } from './database/guarded-database.ts';
import { observedDatabase, type StatementOutcome } from './database/observed-database.ts';
import { openServer } from './database/server.ts';
import { startWatchdog } from './database/watchdog.ts';
import { knownNames } from './failures/filter-conditions.ts';
import { join } from './join.ts';
import { operation } from './operation.ts';
import { readingHealth } from './polling/health.ts';
import { workflows } from './polling/workflows.ts';
import { pruning } from './pruning.ts';

export interface Store extends Nouns, Pick<Database, 'executeSql' | 'isOpen' | 'close'> {
  readonly database: Database;
  /** Returns why the store can't be used, or not fully; null while it can. As of the last look, some seconds ago. */
  trouble(): StoreTrouble | null;
}

export interface StoreOptions {
  readonly database:
    | { readonly kind: 'server'; readonly url: string }
    | { readonly kind: 'embedded'; readonly folder: string };
  readonly logger: Logger;
  readonly observe?: Observer<StatementOutcome>;
  /** Called when the embedded database has ended or hangs for good: only a new process helps. A server that is down recovers by itself. */
  readonly onLost?: (reason: Error) => void;
  readonly now?: () => Date;
  readonly bounds?: Partial<StoreBounds>;
  readonly startThread?: () => DatabaseThread;
  readonly opening?: Promise<EmbeddedDatabase> | undefined;
}

/**
 * Opens the store and migrates it. While its database doesn't respond or accepts no writes, requests reject with `StoreTroubleError`.
 * Throws `DatabaseUnavailableError`, `DataFolderLockedError` or `DataFolderUnusableError`, each with what to do next.
 */
export async function openStore({
  database: where,
  logger,
  observe = unobserved,
  onLost = () => {},
  now = () => new Date(),
  bounds: given = {},
  startThread: start = startThread,
  opening,
}: StoreOptions): Promise<Store> {
  const bounds = { ...BOUNDS, ...given };
  const { statementMs } = bounds;
  const openDatabase = async (): Promise<Database> => {
    if (where.kind === 'server') return openServer(where.url, logger, statementMs);
    const embedded = await (opening ?? openEmbedded(where.folder, { start, statementMs }));
    if (embedded.isNew) logger.info({ folder: where.folder }, `New database made in ${where.folder}`);
    void embedded.died.then(onLost);
    return embedded;
  };
  const database = await openDatabase();
  const watchdog = startWatchdog({ database, kind: where.kind, logger, now, onLost, bounds });
  await watchdog.look();
  const guarded = guardedDatabase(database, watchdog.trouble);
  return {
    ...storeOn(observedDatabase(guarded, observe)),
    trouble: watchdog.trouble,
    close: () => {
      watchdog.stop();
      return database.close();
    },
  };
}

export function storeOn(database: Database): Store {
  return {
    ...nounsOn(database),
    database,
    executeSql: database.executeSql,
    isOpen: database.isOpen,
    trouble: () => null,
    close: database.close,
  };
}

type Nouns = ReturnType<typeof nounsOn>;

function nounsOn(database: Database) {
  return {
    /** A sample of the newest events, in memory. */
    traffic: createTraffic(),
    /** What was read from the service, and how far: events, failures, gaps. */
    polling: join(readingHealth(database), workflows(database), knownNames(database)),
    audit: audit(database),
    triggers: triggers(database),
    operation: join(operation(database), pruning(database)),
  };
}
