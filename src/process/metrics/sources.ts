import { setTimeout as wait } from 'node:timers/promises';
import type { Backlog } from '../../domain/health/backlog.ts';
import type { DiskSpace } from '../../domain/health/disk-space.ts';
import type { EnvironmentHealth } from '../../domain/health/health.ts';
import type { RequestLoad } from '../../domain/health/request-load.ts';
import type { Logger } from '../../domain/logger.ts';

/** Where the numbers come from that are measured when somebody looks. */
export interface MetricSources {
  /** The names of all that are configured. */
  readonly environments: readonly string[];
  readonly store: {
    health(now: Date): Promise<readonly EnvironmentHealth[]>;
    backlog(): Promise<Backlog>;
    /** The disk of the data folder; null where there is none. */
    disk(): DiskSpace | null;
    lastDeliveryAt(): Promise<Date | null>;
  };
  readonly loadOf: (environment: string) => RequestLoad;
  readonly isSlackConnected: () => boolean;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** What all replicas share, from the database. */
export interface SharedNumbers {
  readonly health: readonly EnvironmentHealth[];
  readonly backlog: Backlog;
  readonly lastDeliveryAt: Date | null;
}

/** Answers the shared numbers, null where the database does not tell them in time. */
export type AskShared = () => Promise<SharedNumbers | null>;

/** A scrape asks for each of its numbers; several scrapers may come at once. */
const KEPT_MS = 3_000;
/** Prometheus gives a scrape ten seconds. */
const PATIENCE_MS = 5_000;

/** The shared numbers, asked of the database at most once in some seconds. */
export function sharedNumbers(sources: MetricSources): AskShared {
  let kept: { readonly numbers: Promise<SharedNumbers | null>; readonly until: number } | null = null;
  return () => {
    const now = sources.now().getTime();
    if (kept === null || now >= kept.until) kept = { numbers: ask(sources), until: now + KEPT_MS };
    return kept.numbers;
  };
}

async function ask({ store, now, logger }: MetricSources): Promise<SharedNumbers | null> {
  const asked = Promise.all([store.health(now()), store.backlog(), store.lastDeliveryAt()]);
  const late = wait(PATIENCE_MS, null, { ref: false });
  try {
    const answered = await Promise.race([asked, late]);
    if (answered === null) {
      logger.warn({ waitedMs: PATIENCE_MS }, 'database does not answer: /metrics goes without what replicas share');
      return null;
    }
    const [health, backlog, lastDeliveryAt] = answered;
    return { health, backlog, lastDeliveryAt };
  } catch (err) {
    logger.warn({ err }, "database can't be asked: /metrics goes without what replicas share");
    return null;
  }
}
