import { type Environment, environmentNamed } from '../../domain/environment.ts';

export interface ChannelEnvironmentParts {
  /** At least one; the first is meant where nobody says which. */
  readonly environments: readonly Environment[];
  readonly store: {
    /** The name of the environment that was set for a channel; null where none is. */
    environmentOf(channel: string): Promise<string | null>;
  };
}

/**
 * The environment that is meant in a channel: the one that is named, else the channel's own (`/notif env`), else the first. One that is
 * no longer configured does not count. Throws `InputError` for a name that is none.
 */
export async function environmentIn(
  channelId: string | null,
  named: string | undefined,
  { environments, store }: ChannelEnvironmentParts,
): Promise<Environment> {
  const isClear = named !== undefined || channelId === null || environments.length === 1;
  const own = isClear ? null : await store.environmentOf(channelId);
  return environments.find(({ name }) => name === own) ?? environmentNamed(named, environments);
}
