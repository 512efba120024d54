import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import type { AcknowledgingStore } from '../use-cases/acknowledge-group.ts';
import type { AnnouncingStore } from '../use-cases/announce-failures.ts';
import type { CreatorStore } from '../use-cases/check-creators.ts';
import type { GapStore } from '../use-cases/close-gaps.ts';
import type { DeliveryStore } from '../use-cases/deliver-messages.ts';
import type { FailureStore } from '../use-cases/find-failures.ts';
import type { EpisodeStore } from '../use-cases/list-episode.ts';
import type { ReadingStore } from '../use-cases/record-events.ts';
import type { HomesStore } from '../use-cases/refresh-homes.ts';
import type { OpenGroupsStore } from '../use-cases/show-home.ts';
import type { WorkflowStore } from '../use-cases/suggest-workflows.ts';
import type { SummaryStore } from '../use-cases/summarise-day.ts';
import type { SweepStore } from '../use-cases/sweep.ts';
import { acting } from './acting.ts';
import { announcing } from './announcing.ts';
import { type Audit, audit } from './audit.ts';
import { type AuditMirror, auditMirror } from './audit-mirror.ts';
import { type ChannelSettings, channelSettings } from './channel-settings.ts';
import { contents } from './contents.ts';
import { creators } from './creators.ts';
import type { Database } from './database.ts';
import { deliveries } from './deliveries.ts';
import { type Digests, digests } from './digests.ts';
import { edits } from './edits.ts';
import { openEmbedded } from './embedded.ts';
import { episodeLists } from './episode-lists.ts';
import { findings } from './findings.ts';
import { type ReadingHealth, readingHealth } from './health.ts';
import { homes } from './homes.ts';
import { type KnownNamesStore, knownNames } from './known-names.ts';
import { type Mutes, mutes } from './mutes.ts';
import { observedDatabase, type StatementOutcome } from './observed-database.ts';
import { openGroups } from './open-groups.ts';
import { type Operation, operation } from './operation.ts';
import { type Pruning, pruning } from './pruning.ts';
import { readings } from './readings.ts';
import { openServer } from './server.ts';
import { summaries } from './summaries.ts';
import { sweeps } from './sweeps.ts';
import { type Triggers, triggers } from './triggers.ts';
import { type WatchEnds, watchEnds } from './watch-ends.ts';
import { type Watches, watches } from './watches.ts';
import { workflows } from './workflows.ts';

/** All that Notif keeps, a port for each noun; `executeSql`, `isOpen` and `close` are the database's own. */
export interface Store
  extends ReadingStore,
    GapStore,
    SweepStore,
    AnnouncingStore,
    DeliveryStore,
    FailureStore,
    WorkflowStore,
    Watches,
    WatchEnds,
    Mutes,
    AcknowledgingStore,
    EpisodeStore,
    ChannelSettings,
    KnownNamesStore,
    CreatorStore,
    Digests,
    SummaryStore,
    Triggers,
    Audit,
    AuditMirror,
    OpenGroupsStore,
    HomesStore,
    ReadingHealth,
    Operation,
    Pruning,
    Pick<Database, 'executeSql' | 'isOpen' | 'close'> {}

export interface StoreOptions {
  /** A PostgreSQL server's address; without one the embedded PostgreSQL keeps its files in `dataDir`. */
  readonly databaseUrl?: string;
  readonly dataDir: string;
  readonly logger: Logger;
  /** Told of each statement, by its kind. */
  readonly observe?: Observer<StatementOutcome>;
  /** The embedded database is no more, and comes back with a new process only. A server that is away comes back by itself. */
  readonly onLost?: (reason: Error) => void;
}

/**
 * Opens the store with its tables up to date. Throws `DatabaseUnavailableError`, `DataFolderLockedError` or
 * `DataFolderUnusableError`, each with what to do next.
 */
export async function openStore({
  databaseUrl,
  dataDir,
  logger,
  observe = unobserved,
  onLost = () => {},
}: StoreOptions): Promise<Store> {
  const database =
    databaseUrl === undefined ? await openEmbedded(dataDir, { onDied: onLost }) : await openServer(databaseUrl, logger);
  return storeOn(observedDatabase(database, observe));
}

/** The store upon a database whose tables are up to date. */
export function storeOn(database: Database): Store {
  return {
    ...readings(database),
    ...sweeps(database),
    ...announcing(database),
    ...digests(database),
    ...deliveries(database),
    ...edits(database),
    ...contents(database),
    ...findings(database),
    ...workflows(database),
    ...watches(database),
    ...watchEnds(database),
    ...mutes(database),
    ...acting(database),
    ...episodeLists(database),
    ...channelSettings(database),
    ...knownNames(database),
    ...creators(database),
    ...summaries(database),
    ...triggers(database),
    ...audit(database),
    ...auditMirror(database),
    ...openGroups(database),
    ...homes(database),
    ...readingHealth(database),
    ...operation(database),
    ...pruning(database),
    executeSql: database.executeSql,
    isOpen: database.isOpen,
    close: database.close,
  };
}
