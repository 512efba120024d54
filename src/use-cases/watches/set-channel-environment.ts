import type { Environment } from '../../domain/environment.ts';

/** A channel's default environment, and who last set it; null: the first configured one, as at the start. */
export interface ChannelEnvironment {
  readonly environment: string | null;
  readonly by: string;
  readonly at: Date;
}

export interface ChannelEnvironmentStore {
  channelEnvironment(channel: string): Promise<ChannelEnvironment | null>;
  setChannelEnvironment(channel: string, set: ChannelEnvironment): Promise<void>;
}

export interface SetEnvironmentParts {
  readonly environments: readonly Environment[];
  readonly store: ChannelEnvironmentStore;
  readonly now: () => Date;
}

/** Sets a channel's default environment; null resets it to the first one. Returns false and writes nothing if nothing changes. */
export async function setChannelEnvironment(
  channel: string,
  environment: Environment | null,
  by: string,
  { environments, store, now }: SetEnvironmentParts,
): Promise<boolean> {
  const before = (await store.channelEnvironment(channel))?.environment ?? null;
  const isKnown = before === null || environments.some(({ name }) => name === before);
  if (isKnown && before === (environment?.name ?? null)) return false;
  await store.setChannelEnvironment(channel, { environment: environment?.name ?? null, by, at: now() });
  return true;
}
