import type { Backlog } from '../domain/backlog.ts';
import type { Environment } from '../domain/environment.ts';
import type { EnvironmentHealth } from '../domain/health.ts';
import type { Logger } from '../domain/logger.ts';
import type { RequestLoad } from '../domain/request-load.ts';
import { conditionOf, type EnvironmentStatus, type Status, type StoreStatus } from '../domain/status.ts';

export interface StatusStore {
  health(now: Date): Promise<readonly EnvironmentHealth[]>;
  backlog(): Promise<Backlog>;
  replicas(): Promise<number>;
}

export interface StatusParts {
  readonly environments: readonly Environment[];
  readonly store: StatusStore;
  readonly database: StoreStatus['kind'];
  readonly slackStatus: () => Status['slack'];
  readonly loadOf: (environment: string) => RequestLoad;
  readonly running: Status['running'];
  readonly pollMs: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** How Notif does now. A database that does not answer is part of the report, and of the log. */
export async function reportStatus(parts: StatusParts): Promise<Status> {
  const { environments, slackStatus, running } = parts;
  const stored = await askStore(parts);
  return {
    at: parts.now(),
    environments: environments.map((environment) => statusOf(environment, stored?.health ?? null, parts)),
    slack: slackStatus(),
    store: stored?.status ?? null,
    running,
  };
}

interface Stored {
  readonly health: readonly EnvironmentHealth[];
  readonly status: StoreStatus;
}

async function askStore({ store, database, logger, now }: StatusParts): Promise<Stored | null> {
  const askedAt = now();
  try {
    const [health, backlog, replicas] = await Promise.all([store.health(askedAt), store.backlog(), store.replicas()]);
    const answeredInMs = now().getTime() - askedAt.getTime();
    return { health, status: { kind: database, answeredInMs, backlog, replicas } };
  } catch (err) {
    logger.error({ err }, 'database could not be asked for the status');
    return null;
  }
}

function statusOf(
  environment: Environment,
  known: readonly EnvironmentHealth[] | null,
  { loadOf, pollMs, now }: StatusParts,
): EnvironmentStatus {
  const health = known?.find((one) => one.environment === environment.name) ?? null;
  const condition = known === null ? 'unknown' : conditionOf(health, pollMs, now());
  return { environment, health, condition, load: loadOf(environment.name) };
}
