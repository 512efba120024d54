import type { DiskReport } from '../domain/health/disk-space.ts';
import type { StoreTrouble } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import type { KeptTexts } from '../domain/text/kept-texts.ts';
import type { AnnouncedStore } from '../use-cases/alerting/announce-all.ts';
import type { AnnouncingStore } from '../use-cases/alerting/announce-failures.ts';
import type { CreatorStore } from '../use-cases/alerting/check-creators.ts';
import type { DeliveryStore } from '../use-cases/alerting/deliver-messages.ts';
import type { SummaryStore } from '../use-cases/alerting/summarise-day.ts';
import type { HomesStore } from '../use-cases/health/refresh-homes.ts';
import type { OpenGroupsStore } from '../use-cases/health/show-home.ts';
import type { AcknowledgingStore } from '../use-cases/incidents/acknowledge-incident.ts';
import type { AssigningStore } from '../use-cases/incidents/assign-incident.ts';
import type { EpisodeStore } from '../use-cases/incidents/list-episode.ts';
import type { NamingStore } from '../use-cases/incidents/name-incident.ts';
import type { ResolvingStore } from '../use-cases/incidents/resolve-incident.ts';
import type { FailureStore, IncidentsStore } from '../use-cases/lookups/find-failures.ts';
import type { GapStore } from '../use-cases/polling/close-gaps.ts';
import type { QuarantineStore } from '../use-cases/polling/isolate-refused.ts';
import type { ReadingStore } from '../use-cases/polling/record-events.ts';
import type { SweepStore } from '../use-cases/polling/sweep.ts';
import type { WorkflowStore } from '../use-cases/triggers/suggest-workflows.ts';
import { announcing } from './alerting/announcing.ts';
import { summaries } from './alerting/summaries.ts';
import { type Audit, audit } from './changes/audit.ts';
import { keptTexts } from './changes/kept-texts.ts';
import { type Triggers, triggers } from './changes/triggers.ts';
import { BOUNDS, type StoreBounds } from './database/bounds.ts';
import type { Database } from './database/database.ts';
import { type MeasureDisk, measureDisk, RESERVE_BYTES, watchDisk } from './database/disk-watch.ts';
import { type DatabaseThread, startThread } from './database/embedded/thread.ts';
import { openEmbedded } from './database/embedded.ts';
import { guardedDatabase } from './database/guarded-database.ts';
import { observedDatabase, type StatementOutcome } from './database/observed-database.ts';
import { openServer } from './database/server.ts';
import { startWatchdog } from './database/watchdog.ts';
import { type AuditMirror, auditMirror } from './deliveries/audit-mirror.ts';
import { type Claims, claims } from './deliveries/claims.ts';
import { contents } from './deliveries/contents.ts';
import { deliveries } from './deliveries/deliveries.ts';
import { type DeliveryHealth, deliveryHealth } from './deliveries/delivery-health.ts';
import { type Digests, digests } from './deliveries/digests.ts';
import { type EditRefusals, editRefusals } from './deliveries/edit-refusals.ts';
import { edits } from './deliveries/edits.ts';
import { homes } from './deliveries/homes.ts';
import { type NextDelivery, nextDelivery } from './deliveries/next-delivery.ts';
import { type WatchEnds, watchEnds } from './deliveries/watch-ends.ts';
import { type KnownNamesStore, knownNames } from './failures/known-names.ts';
import { episodeLists } from './incidents/episode-lists.ts';
import { acting } from './incidents/incident-actions.ts';
import { type Mutes, mutes } from './incidents/mutes.ts';
import { openGroups } from './incidents/open-groups.ts';
import { type OutstandingStore, outstanding } from './incidents/outstanding.ts';
import { type Operation, operation } from './operation.ts';
import { type Checks, checks } from './polling/checks.ts';
import { failureSummaries } from './polling/failure-summaries.ts';
import { type ReadingHealth, readingHealth } from './polling/health.ts';
import { quarantine } from './polling/quarantine.ts';
import { readings } from './polling/readings.ts';
import { sweeps } from './polling/sweeps.ts';
import { workflows } from './polling/workflows.ts';
import { type Pruning, pruning } from './pruning.ts';
import { type ChannelSettings, channelSettings } from './watches/channel-settings.ts';
import { creators } from './watches/creators.ts';
import { type Watches, watches } from './watches/watches.ts';

/** All that Notif keeps, a port for each noun; `executeSql`, `isOpen` and `close` are the database's own. */
export interface Store
  extends ReadingStore,
    GapStore,
    SweepStore,
    AnnouncedStore,
    Checks,
    AnnouncingStore,
    DeliveryStore,
    DeliveryHealth,
    NextDelivery,
    EditRefusals,
    Claims,
    FailureStore,
    WorkflowStore,
    Watches,
    WatchEnds,
    Mutes,
    AcknowledgingStore,
    ResolvingStore,
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
    NamingStore,
    IncidentsStore,
    AssigningStore,
    OutstandingStore,
    HomesStore,
    KeptTexts,
    QuarantineStore,
    ReadingHealth,
    Operation,
    Pruning,
    Pick<Database, 'executeSql' | 'isOpen' | 'close'> {
  /** Why it can't be used, or not in full; null while it can. As of the last look, some seconds ago. */
  trouble(): StoreTrouble | null;
  /** The room on the disk of the data folder, as of the last look; null for a server. */
  disk(): DiskReport | null;
}

export interface StoreOptions {
  /** A PostgreSQL server's address; without one the embedded PostgreSQL keeps its files in `dataDir`. */
  readonly databaseUrl?: string;
  readonly dataDir: string;
  readonly logger: Logger;
  /** Told of each statement, by its kind. */
  readonly observe?: Observer<StatementOutcome>;
  /** The embedded database has ended, or hangs for good: only a new process helps. A server that is away comes back by itself. */
  readonly onLost?: (reason: Error) => void;
  readonly now?: () => Date;
  /** The system's measure, unless given. */
  readonly measure?: MeasureDisk;
  /** The usual ones, unless given. */
  readonly bounds?: Partial<StoreBounds>;
  /** Starts the embedded database's thread. */
  readonly startThread?: () => DatabaseThread;
}

/**
 * Opens the store with its tables up to date. While its database doesn't answer, or takes no writes, what is asked of it rejects with
 * `StoreTroubleError`. Throws `DatabaseUnavailableError`, `DataFolderLockedError` or
 * `DataFolderUnusableError`, each with what to do next.
 */
export async function openStore({
  databaseUrl,
  dataDir,
  logger,
  observe = unobserved,
  onLost = () => {},
  now = () => new Date(),
  measure = measureDisk,
  bounds: given = {},
  startThread: start = startThread,
}: StoreOptions): Promise<Store> {
  const bounds = { ...BOUNDS, ...given };
  const { statementMs } = bounds;
  const kind = databaseUrl === undefined ? 'embedded' : 'server';
  const database =
    databaseUrl === undefined
      ? await openEmbedded(dataDir, { onDied: onLost, start, statementMs, measure })
      : await openServer(databaseUrl, logger, statementMs);
  const disk = kind === 'embedded' ? watchDisk(dataDir, logger, measure) : null;
  const otherTrouble = async (): Promise<StoreTrouble | null> => {
    const before = disk?.report()?.level;
    const report = await disk?.look();
    if (report?.level !== 'critical') return null;
    // From now on PostgreSQL's log needs no new files: it writes over those before the checkpoint, which itself needs room.
    if (before !== 'critical' && report.freeBytes >= RESERVE_BYTES) await database.executeSql('CHECKPOINT');
    return 'disk-almost-full';
  };
  const watchdog = startWatchdog({ database, kind, logger, now, onLost, otherTrouble, bounds });
  await watchdog.look();
  const guarded = guardedDatabase(database, watchdog.trouble);
  return {
    ...storeOn(observedDatabase(guarded, observe)),
    trouble: watchdog.trouble,
    disk: () => disk?.report() ?? null,
    close: () => {
      watchdog.stop();
      return database.close();
    },
  };
}

/** The store upon a database whose tables are up to date. */
export function storeOn(database: Database): Store {
  return {
    ...readings(database),
    ...sweeps(database),
    ...checks(database),
    ...announcing(database),
    ...digests(database),
    ...deliveries(database),
    ...deliveryHealth(database),
    ...nextDelivery(database),
    ...editRefusals(database),
    ...claims(database),
    ...edits(database),
    ...contents(database),
    ...failureSummaries(database),
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
    ...outstanding(database),
    ...homes(database),
    ...keptTexts(database),
    ...quarantine(database),
    ...readingHealth(database),
    ...operation(database),
    ...pruning(database),
    executeSql: database.executeSql,
    isOpen: database.isOpen,
    trouble: () => null,
    disk: () => null,
    close: database.close,
  };
}
