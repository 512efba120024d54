import { addMinutes } from 'date-fns';
import { and, gt, like } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../lib/ctx.ts';
import type { Db } from '../store/db.ts';
import { putValue } from '../store/kv.ts';
import { kv } from '../store/schema.ts';

const Hashes = z.record(z.string(), z.string());

/** Holds for three minutes. */
export async function noteReplica({ db, logger, now }: Ctx, name: string, hashes: z.output<typeof Hashes>) {
  await putValue(db, `replica ${name}`, hashes, addMinutes(now(), 3));
  const { differing: variables } = await replicasOf(db, now());
  if (variables.length > 0) logger.warn({ variables }, 'Replicas are configured differently');
}

export async function replicasOf(db: Db, now: Date) {
  const isReplica = and(like(kv.key, 'replica %'), gt(kv.expiresAt, now));
  const replicas = (await db.select().from(kv).where(isReplica)).map(({ value }) => Hashes.parse(value));
  const names = new Set(replicas.flatMap((hashes) => Object.keys(hashes)));
  const isDiffering = (name: string) => new Set(replicas.map((hashes) => hashes[name])).size > 1;
  return { count: replicas.length, differing: [...names].filter(isDiffering) };
}
