import type { DiskReport } from '../domain/health/disk-space.ts';
import type { StoreTrouble } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import type { KeptTexts } from '../domain/text/kept-texts.ts';
import type { AcknowledgingStore } from '../use-cases/acknowledge-group.ts';
import type { AnnouncedStore } from '../use-cases/announce-all.ts';
import type { AnnouncingStore } from '../use-cases/announce-failures.ts';
import type { AssigningStore } from '../use-cases/assign-incident.ts';
import type { CreatorStore } from '../use-cases/check-creators.ts';
import type { GapStore } from '../use-cases/close-gaps.ts';
import type { DeliveryStore } from '../use-cases/deliver-messages.ts';
import type { FailureStore, IncidentsStore } from '../use-cases/find-failures.ts';
import type { QuarantineStore } from '../use-cases/isolate-refused.ts';
import type { EpisodeStore } from '../use-cases/list-episode.ts';
import type { NamingStore } from '../use-cases/name-incident.ts';
import type { ReadingStore } from '../use-cases/record-events.ts';
import type { HomesStore } from '../use-cases/refresh-homes.ts';
import type { ResolvingStore } from '../use-cases/resolve-incident.ts';
import type { OpenGroupsStore } from '../use-cases/show-home.ts';
import type { WorkflowStore } from '../use-cases/suggest-workflows.ts';
import type { SummaryStore } from '../use-cases/summarise-day.ts';
import type { SweepStore } from '../use-cases/sweep.ts';
import { acting } from './acting.ts';
import { announcing } from './announcing.ts';
import { type Audit, audit } from './audit.ts';
import { type AuditMirror, auditMirror } from './audit-mirror.ts';
import { BOUNDS, type StoreBounds } from './bounds.ts';
import { type ChannelSettings, channelSettings } from './channel-settings.ts';
import { type Checks, checks } from './checks.ts';
import { type Claims, claims } from './claims.ts';
import { contents } from './contents.ts';
import { creators } from './creators.ts';
import type { Database } from './database.ts';
import { deliveries } from './deliveries.ts';
import { type DeliveryHealth, deliveryHealth } from './delivery-health.ts';
import { type Digests, digests } from './digests.ts';
import { type MeasureDisk, measureDisk, RESERVE_BYTES, watchDisk } from './disk-watch.ts';
import { type EditRefusals, editRefusals } from './edit-refusals.ts';
import { edits } from './edits.ts';
import { type DatabaseThread, startThread } from './embedded/thread.ts';
import { openEmbedded } from './embedded.ts';
import { episodeLists } from './episode-lists.ts';
import { findings } from './findings.ts';
import { guardedDatabase } from './guarded-database.ts';
import { type ReadingHealth, readingHealth } from './health.ts';
import { homes } from './homes.ts';
import { keptTexts } from './kept-texts.ts';
import { type KnownNamesStore, knownNames } from './known-names.ts';
import { type Mutes, mutes } from './mutes.ts';
import { type NextDelivery, nextDelivery } from './next-delivery.ts';
import { observedDatabase, type StatementOutcome } from './observed-database.ts';
import { openGroups } from './open-groups.ts';
import { type Operation, operation } from './operation.ts';
import { type OutstandingStore, outstanding } from './outstanding.ts';
import { type Pruning, pruning } from './pruning.ts';
import { quarantine } from './quarantine.ts';
import { readings } from './readings.ts';
import { openServer } from './server.ts';
import { summaries } from './summaries.ts';
import { sweeps } from './sweeps.ts';
import { type Triggers, triggers } from './triggers.ts';
import { type WatchEnds, watchEnds } from './watch-ends.ts';
import { startWatchdog } from './watchdog.ts';
import { type Watches, watches } from './watches.ts';
import { workflows } from './workflows.ts';

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
