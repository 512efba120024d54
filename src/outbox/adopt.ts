import { subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Ctx, Db } from '../store/db.ts';
import type { Kinds, Publisher, Sent } from './kinds.ts';

export interface AdoptCtx<Content> extends Ctx {
  publisher: Pick<Publisher<Content>, 'sentSince'>;
  kinds: Kinds<Content>;
}

/** What this process knows of messages that its store may have lost, as after a failover or in a restored backup. */
export interface SentMemory {
  /** The newest message that this process posted. */
  lastPosted: string | null;
  /** By channel: what isn't adopted yet; its incidents may be recorded again later. */
  unknown: Map<string, readonly Sent[]>;
}

/** Replicas' clocks and Slack's differ by less. */
const BEFORE_MS = MINUTE_MS;

/** Looks once in each channel, before anything is posted there, for what stands there though the store doesn't know it. */
export async function adoptSent<Content>(
  ctx: AdoptCtx<Content>,
  memory: SentMemory,
  { kind, channel }: { kind: string; channel: string },
): Promise<void> {
  const { db, kinds, logger, now } = ctx;
  const adopt = kinds[kind]?.adopt;
  if (adopt === undefined) return;
  if (memory.lastPosted !== null && !(await isPosted(db, memory.lastPosted))) {
    logger.warn({ messageId: memory.lastPosted }, 'The database lost a message that was posted: looking for others');
    Object.assign(memory, { lastPosted: null, unknown: new Map() });
  }
  const unknown = memory.unknown.get(channel) ?? (await unknownIn(ctx, channel));
  if (unknown === null) return;
  const left: Sent[] = [];
  for (const sent of unknown) {
    const isAdopted = await db.transaction((tx) => adopt(tx, sent, now()));
    if (isAdopted) logger.info({ messageId: sent.id, channel }, 'Message adopted: it stood in its channel');
    else left.push(sent);
  }
  memory.unknown.set(channel, left);
}

async function isPosted(db: Db, id: string): Promise<boolean> {
  const rows = await db.rows(
    z.object({ id: z.string() }),
    sql`SELECT id FROM slack_messages WHERE id = ${id} AND ts IS NOT NULL`,
  );
  return rows.length > 0;
}

const NewestRow = z.object({ postedAt: z.date().nullable() });

/** A store that never posted has lost nothing. */
async function unknownIn<Content>(
  { db, publisher }: AdoptCtx<Content>,
  channel: string,
): Promise<readonly Sent[] | null> {
  const [newest] = await db.rows(NewestRow, sql`SELECT max(posted_at) AS posted_at FROM slack_messages`);
  if (newest?.postedAt == null) return [];
  const sent = await publisher.sentSince(channel, subMilliseconds(newest.postedAt, BEFORE_MS));
  if (sent === null) return null;
  const known = new Set<string>();
  for (const { id } of sent) if (await isPosted(db, id)) known.add(id);
  return sent.filter(({ id }) => !known.has(id));
}
