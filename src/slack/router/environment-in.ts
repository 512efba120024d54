import { type Environment, environmentNamed } from '../../lib/environment.ts';
import { InputError } from '../../lib/errors.ts';
import type { Db } from '../../store/db.ts';
import { channelEnvironment } from '../../watches/channel-settings.ts';

export interface NamedPlace {
  readonly environment: string;
  readonly isEnvironmentNamed: boolean;
}

export interface ChannelCtx {
  /** At least one. The first is the default. */
  readonly environments: readonly Environment[];
  readonly db: Db;
}

/**
 * The named one, else the channel's own (`/notif env`), else the first. One that is no longer configured is ignored.
 * Throws `InputError` for an unknown name.
 */
export async function environmentIn(
  { environments, db }: ChannelCtx,
  channelId: string | null,
  named: string | undefined,
): Promise<Environment> {
  const isClear = named !== undefined || channelId === null || environments.length === 1;
  const set = isClear ? null : await channelEnvironment(db, channelId);
  return environments.find(({ name }) => name === set?.environment) ?? environmentNamed(named, environments);
}

/** Throws `InputError` for an unknown name. */
export function namedPlace(
  { environments }: Pick<ChannelCtx, 'environments'>,
  named: string | undefined,
  usual: Environment,
): NamedPlace {
  const environment = named === undefined ? usual : environmentNamed(named, environments);
  return { environment: environment.name, isEnvironmentNamed: named !== undefined };
}

/** Throws an `InputError` if `env:` names several. */
export function onlyEnvironment(
  { environments }: Pick<ChannelCtx, 'environments'>,
  names: readonly string[],
): string | undefined {
  const [name, ...others] = names;
  if (others.every((other) => other.toLowerCase() === name?.toLowerCase())) return name;
  throw new InputError('env', 'env: takes one environment at a time.', `env:${environments[0]?.name ?? ''}`);
}
