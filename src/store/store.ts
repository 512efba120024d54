import { createTraffic } from '../domain/failures/traffic.ts';
import type { StoreTrouble } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import { dueForAnnouncing, environmentOf, noteAnnounced } from '../polling/environments.ts';
import type { AnnouncedStore } from '../use-cases/alerting/announce-all.ts';
import type { ClockStore } from '../use-cases/lookups/find-failures.ts';
import { announcing } from './alerting/announcing.ts';
import { pastIncidents } from './alerting/past-incidents.ts';
import { summaries } from './alerting/summaries.ts';
import { audit } from './changes/audit.ts';
import { environmentChanges } from './changes/environment-changes.ts';
import { triggers } from './changes/triggers.ts';
import { BOUNDS, type StoreBounds } from './database/bounds.ts';
import type { Database } from './database/database.ts';
import { type DatabaseThread, startThread } from './database/embedded/thread.ts';
import { type EmbeddedDatabase, openEmbedded } from './database/embedded.ts';
import { guardedDatabase } from './database/guarded-database.ts';
import { observedDatabase, type StatementOutcome } from './database/observed-database.ts';
import { openServer } from './database/server.ts';
import { startWatchdog } from './database/watchdog.ts';
import { contents } from './deliveries/contents.ts';
import { deliveries } from './deliveries/deliveries.ts';
import { deliveryHealth } from './deliveries/delivery-health.ts';
import { digests } from './deliveries/digest-content.ts';
import { editRefusals } from './deliveries/edit-refusals.ts';
import { edits } from './deliveries/edits.ts';
import { knownNames } from './failures/known-names.ts';
import { episodeLists } from './incidents/episode-lists.ts';
import { failingProviders } from './incidents/failing-providers.ts';
import { handovers } from './incidents/handovers.ts';
import { history } from './incidents/history.ts';
import { acting } from './incidents/incident-actions.ts';
import { mutes } from './incidents/mutes.ts';
import { openIncidents } from './incidents/open-incidents.ts';
import { outstanding } from './incidents/outstanding.ts';
import { join } from './join.ts';
import { operation } from './operation.ts';
import { failureCharts } from './polling/failure-charts.ts';
import { failureSummaries } from './polling/failure-summaries.ts';
import { readingHealth } from './polling/health.ts';
import { workflows } from './polling/workflows.ts';
import { pruning } from './pruning.ts';
import { channelSettings } from './watches/channel-settings.ts';
import { watches } from './watches/watches.ts';

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
  const traffic = createTraffic();
  return {
    /** A sample of the newest events, in memory. */
    traffic,
    /** What was read from the service, and how far: events, failures, gaps. */
    polling: join(
      announced(database),
      readingHealth(database),
      failureSummaries(database),
      failureCharts(database),
      workflows(database),
      knownNames(database),
    ),
    /** What people are alerted to, and what they did about it. */
    incidents: join(
      acting(database),
      mutes(database),
      episodeLists(database),
      openIncidents(database),
      failingProviders(database),
      outstanding(database),
      history(database),
      handovers(database),
    ),
    /** Who is alerted, and each channel's settings. */
    watches: join(watches(database), channelSettings(database)),
    /** What watches need to be alerted to, and its messages. */
    alerting: join(announcing(database), summaries(database), pastIncidents(database)),
    /** The outbox: what is posted and edited. */
    deliveries: join(
      deliveries(database),
      edits(database),
      contents(database, traffic),
      digests(database, traffic),
      deliveryHealth(database),
      editRefusals(database),
    ),
    changes: environmentChanges(database),
    audit: audit(database),
    triggers: triggers(database),
    operation: join(operation(database), pruning(database)),
  };
}

function announced(database: Database): AnnouncedStore & ClockStore {
  return {
    clockAheadMs: async (environment) => (await environmentOf(database, environment))?.clockAheadMs ?? null,
    dueForAnnouncing: (notSince) => dueForAnnouncing(database, notSince),
    noteAnnounced: (due, now) => noteAnnounced(database, due, now),
  };
}
