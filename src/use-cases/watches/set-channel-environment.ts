import type { Environment } from '../../domain/environment.ts';

/** The environment that is meant in a channel, and who said so last; null: the first of all, as it was before. */
export interface ChannelEnvironment {
  readonly environment: string | null;
  /** A Slack user id. */
  readonly by: string;
  readonly at: Date;
}

export interface ChannelEnvironmentStore {
  /** Null where nobody ever said anything. */
  channelEnvironment(channel: string): Promise<ChannelEnvironment | null>;
  setChannelEnvironment(channel: string, set: ChannelEnvironment): Promise<void>;
}

export interface SetEnvironmentParts {
  readonly environments: readonly Environment[];
  readonly store: ChannelEnvironmentStore;
  readonly now: () => Date;
}

/** Sets what is meant in a channel, null for the first of all again. False where that was meant already: nothing is written. */
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
