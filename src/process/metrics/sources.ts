import { setTimeout as wait } from 'node:timers/promises';
import type { Backlog } from '../../domain/health/backlog.ts';
import type { EnvironmentHealth } from '../../domain/health/health.ts';
import type { RequestLoad } from '../../domain/health/request-load.ts';
import { isKnownTrouble } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';
import { isStillKept } from '../../domain/time/still-kept.ts';

export interface MetricSources {
  readonly environments: readonly string[];
  readonly store: {
    health(now: Date): Promise<readonly EnvironmentHealth[]>;
    backlog(): Promise<Backlog>;
    lastDeliveryAt(): Promise<Date | null>;
  };
  readonly freeBytes: () => number | null;
  readonly loadOf: (environment: string) => RequestLoad;
  readonly isSlackConnected: () => boolean;
  readonly logger: Logger;
  readonly now: () => Date;
}

export interface SharedNumbers {
  readonly health: readonly EnvironmentHealth[];
  readonly backlog: Backlog;
  readonly lastDeliveryAt: Date | null;
}

/** Returns the shared numbers. Null if the database doesn't provide them in time. */
export type AskShared = () => Promise<SharedNumbers | null>;

/** How long the numbers are reused: a scrape asks for each of them, and several scrapers can come at once. */
const KEPT_MS = 3_000;
/** Prometheus allows a scrape ten seconds. */
const TIMEOUT_MS = 5_000;

export function sharedNumbers(sources: MetricSources): AskShared {
  let kept: { readonly numbers: Promise<SharedNumbers | null>; readonly since: number } | null = null;
  return () => {
    const now = sources.now().getTime();
    if (kept === null || !isStillKept(kept.since, KEPT_MS, now)) kept = { numbers: ask(sources), since: now };
    return kept.numbers;
  };
}

async function ask({ store, now, logger }: MetricSources): Promise<SharedNumbers | null> {
  const asked = Promise.all([store.health(now()), store.backlog(), store.lastDeliveryAt()]);
  const late = wait(TIMEOUT_MS, null, { ref: false });
  try {
    const answered = await Promise.race([asked, late]);
    if (answered === null) {
      logger.warn({ waitedMs: TIMEOUT_MS }, 'database does not answer: /metrics goes without what replicas share');
      return null;
    }
    const [health, backlog, lastDeliveryAt] = answered;
    return { health, backlog, lastDeliveryAt };
  } catch (err) {
    const without = "database can't be asked: /metrics goes without what replicas share";
    if (isKnownTrouble(err)) logger.debug({ trouble: err.trouble }, without);
    else logger.warn({ err }, without);
    return null;
  }
}
