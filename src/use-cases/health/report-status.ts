import type { Environment } from '../../domain/environment.ts';
import type { Backlog } from '../../domain/health/backlog.ts';
import type { EnvironmentHealth } from '../../domain/health/health.ts';
import type { RequestLoad } from '../../domain/health/request-load.ts';
import {
  type BehindLoop,
  conditionOf,
  type EditRefusedIn,
  type EnvironmentStatus,
  type Status,
  type StoreStatus,
} from '../../domain/health/status.ts';
import type { StoreTrouble } from '../../domain/health/store-trouble.ts';
import type { Outstanding } from '../../domain/incidents/outstanding.ts';
import type { Logger } from '../../domain/logger.ts';
import type { CheckNow, CheckOutcome } from '../../domain/polling/check.ts';
import type { Channels } from '../ports/channels.ts';

export interface StatusStore {
  health(now: Date): Promise<readonly EnvironmentHealth[]>;
  backlog(): Promise<Backlog>;
  outstanding(environments: readonly string[], now: Date): Promise<Outstanding>;
  editRefusals(): Promise<readonly EditRefusedIn[]>;
  replicas(): Promise<number>;
  trouble(): StoreTrouble | null;
}

export interface StatusParts {
  readonly environments: readonly Environment[];
  readonly store: StatusStore;
  readonly channels: Pick<Channels, 'isPublic'>;
  readonly database: StoreStatus['kind'];
  readonly slackStatus: () => Status['slack'];
  readonly loadOf: (environment: string) => RequestLoad;
  readonly behind: () => readonly BehindLoop[];
  readonly running: Status['running'];
  readonly pollMs: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

export interface CheckedStatusParts extends StatusParts {
  readonly checkNow: CheckNow;
}

type Checks = ReadonlyMap<string, CheckOutcome>;

export async function checkAndReportStatus(parts: CheckedStatusParts): Promise<Status> {
  return reportStatus(parts, await checkAll(parts));
}

export async function checkAll({ environments, checkNow }: CheckedStatusParts): Promise<Checks> {
  const check = async ({ name }: Environment) => [name, (await checkNow(name)).outcome] as const;
  return new Map(await Promise.all(environments.map(check)));
}

/** A database that doesn't respond is reported and logged. */
export async function reportStatus(parts: StatusParts, checks: Checks = new Map()): Promise<Status> {
  const { environments, slackStatus, behind, running } = parts;
  const stored = await askStore(parts);
  return {
    at: parts.now(),
    environments: environments.map((environment) => statusOf(environment, stored, checks, parts)),
    slack: slackStatus(),
    store: stored?.status ?? null,
    behind: behind(),
    running,
  };
}

interface Stored {
  readonly health: readonly EnvironmentHealth[];
  readonly status: StoreStatus;
}

async function askStore(parts: StatusParts): Promise<Stored | null> {
  const { environments, store, database, logger, now } = parts;
  const askedAt = now();
  try {
    const [health, backlog, outstanding, refused, replicas] = await Promise.all([
      store.health(askedAt),
      store.backlog(),
      store.outstanding(
        environments.map(({ name }) => name),
        askedAt,
      ),
      store.editRefusals(),
      store.replicas(),
    ]);
    const answeredInMs = now().getTime() - askedAt.getTime();
    const seen = { ...outstanding, mutes: await withoutPrivate(outstanding.mutes, parts.channels) };
    const status = {
      kind: database,
      answeredInMs,
      backlog,
      outstanding: seen,
      editRefusals: refused,
      replicas,
    };
    return { health, status: { ...status, trouble: store.trouble() } };
  } catch (err) {
    logger.error({ err }, 'database could not be asked for the status');
    return null;
  }
}

function statusOf(
  environment: Environment,
  stored: Stored | null,
  checks: Checks,
  { loadOf, pollMs, running: { startedAt }, now }: StatusParts,
): EnvironmentStatus {
  const health = stored?.health.find((one) => one.environment === environment.name) ?? null;
  const running = { pollMs, startedAt, trouble: stored?.status.trouble ?? null };
  const condition = stored === null ? 'unknown' : conditionOf(health, running, now());
  const check = checks.get(environment.name) ?? null;
  return { environment, health, condition, check, load: loadOf(environment.name) };
}

/** Leaves out which private channels mutes are in, since the reader might not be a member. */
export function withoutPrivate<Muted extends { readonly channel: string | null }>(
  mutes: readonly Muted[],
  channels: Pick<Channels, 'isPublic'>,
): Promise<Muted[]> {
  return Promise.all(
    mutes.map(async (mute) => {
      const isPublic = mute.channel !== null && (await channels.isPublic(mute.channel));
      return isPublic ? mute : { ...mute, channel: null };
    }),
  );
}
