import type { Environment } from '../lib/environment.ts';
import type { Logger } from '../lib/logger.ts';
import type { Channels } from '../lib/workspace.ts';
import type { Backlog } from './backlog.ts';
import type { CheckNow, CheckOutcome } from './check.ts';
import type { EnvironmentHealth } from './health.ts';
import type { Outstanding } from './outstanding.ts';
import { type BehindLoop, conditionOf, type EditRefusedIn, type Status, type StoreStatus } from './situation.ts';
import type { StoreTrouble } from './store-trouble.ts';

export interface StatusStore {
  health(now: Date): Promise<readonly EnvironmentHealth[]>;
  backlog(): Promise<Backlog>;
  outstanding(environments: readonly string[], now: Date): Promise<Outstanding>;
  editRefusals(): Promise<readonly EditRefusedIn[]>;
  replicas(): Promise<number>;
  trouble(): Promise<StoreTrouble | null>;
}

export interface StatusCtx {
  readonly environments: readonly Environment[];
  readonly store: StatusStore;
  readonly channels: Pick<Channels, 'isPublic'>;
  readonly slackStatus: () => Status['slack'];
  readonly behind: () => readonly BehindLoop[];
  readonly running: Status['running'];
  readonly pollMs: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

export interface CheckingCtx extends StatusCtx {
  readonly checkNow: CheckNow;
}

type Checks = ReadonlyMap<string, CheckOutcome>;

export async function checkAll({ environments, checkNow }: CheckingCtx): Promise<Checks> {
  const check = async ({ name }: Environment) => [name, (await checkNow(name)).outcome] as const;
  return new Map(await Promise.all(environments.map(check)));
}

/** A database that doesn't respond is reported and logged. */
export async function reportStatus(ctx: StatusCtx, checks: Checks = new Map()): Promise<Status> {
  const { environments, slackStatus, behind, running, pollMs, now } = ctx;
  const stored = await askStore(ctx);
  const at = now();
  const how = { pollMs, trouble: stored?.status.trouble ?? null };
  return {
    at,
    environments: environments.map((environment) => {
      const health = stored?.health.find((read) => read.environment === environment.name) ?? null;
      const condition = stored === null ? 'unknown' : conditionOf(health, how, at);
      return { environment, health, condition, check: checks.get(environment.name) ?? null };
    }),
    slack: slackStatus(),
    store: stored?.status ?? null,
    behind: behind(),
    running,
  };
}

async function askStore({ environments, store, channels, logger, now }: StatusCtx) {
  const begun = now();
  const names = environments.map(({ name }) => name);
  try {
    const [health, backlog, outstanding, editRefusals, replicas, trouble] = await Promise.all([
      store.health(begun),
      store.backlog(),
      store.outstanding(names, begun),
      store.editRefusals(),
      store.replicas(),
      store.trouble(),
    ]);
    const answeredInMs = now().getTime() - begun.getTime();
    const mutes = await withoutPrivate(outstanding.mutes, channels);
    const status: StoreStatus = {
      ...{ answeredInMs, backlog, editRefusals, replicas, trouble },
      outstanding: { ...outstanding, mutes },
    };
    return { health, status };
  } catch (err) {
    logger.error({ err }, 'database could not be asked for the status');
    return null;
  }
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
