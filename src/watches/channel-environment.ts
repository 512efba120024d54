import { z } from 'zod';
import { record } from '../audit/audit.ts';
import type { Ctx } from '../lib/ctx.ts';
import type { Environment } from '../lib/environment.ts';
import type { Db } from '../store/db.ts';
import { getValue, putValue } from '../store/kv.ts';

const environmentKey = (channel: string) => `channel-environment:${channel}`;

const ChannelEnvironment = z.object({ environment: z.string().nullable(), by: z.string(), at: z.coerce.date() });
export type ChannelEnvironment = Readonly<z.output<typeof ChannelEnvironment>>;

export function channelEnvironment(db: Db, channel: string): Promise<ChannelEnvironment | null> {
  return getValue(db, environmentKey(channel), ChannelEnvironment);
}

export async function setChannelEnvironment(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  channel: string,
  environment: Environment | null,
  by: string,
): Promise<boolean> {
  const before = (await channelEnvironment(db, channel))?.environment ?? null;
  const to = environment?.name ?? null;
  if (before === to) return false;
  await db.transaction(async (tx) => {
    await putValue(tx, environmentKey(channel), { environment: to, by, at: now() });
    const change = { action: 'channel-environment', to } as const;
    await record(tx, { by, now: now() }, { channel, environment: null, change });
  });
  return true;
}
