import { z } from 'zod';
import { record } from '../audit/audit.ts';
import type { Environment } from '../lib/environment.ts';
import { boundedId, stored } from '../lib/text/shown-id.ts';
import type { Ctx, Db } from '../store/db.ts';
import { getValue, putValue, replaceValues } from '../store/kv.ts';

const environmentKey = (channel: string) => `channel-environment:${channel}` as const;
export const StoredChoice = z.object({ environment: z.string().nullable() });

export async function channelEnvironment(db: Db, channel: string): Promise<string | null> {
  return (await getValue(db, environmentKey(channel), StoredChoice))?.environment ?? null;
}

export async function replaceChannelEnvironment(tx: Db, from: string, to: string): Promise<void> {
  const choiceOf = (environment: string) => stored({ environment: boundedId(environment) });
  await replaceValues(tx, 'channel-environment', choiceOf(from), choiceOf(to));
}

/** Returns false if it was so already. */
export async function setChannelEnvironment(
  { db, now }: Ctx,
  channel: string,
  environment: Environment | null,
  actor: string,
): Promise<boolean> {
  const to = environment?.name ?? null;
  if ((await channelEnvironment(db, channel)) === to) return false;
  await db.transaction(async (tx) => {
    await putValue(tx, environmentKey(channel), { Value: StoredChoice, value: stored({ environment: to }) });
    const change = stored({ action: 'channel-environment', to });
    await record(tx, { actor, now: now() }, { channel, environment: null, change });
  });
  return true;
}
