import { min, subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import type { Ctx, Db } from '../store/db.ts';
import type { Kinds, Publisher, Sent } from './kinds.ts';

export interface AdoptCtx<Content> extends Ctx {
  publisher: Pick<Publisher<Content>, 'sentSince'>;
  kinds: Kinds<Content>;
}

/** What this process knows of messages that its store may have lost, as after a failover or in a restored backup. */
export interface SentMemory {
  /** The newest message that this process posted. */
  lastPosted: { id: string; at: Date } | null;
  /** When it posted what its store lost. */
  lostAt: Date | null;
  /** By channel: what isn't adopted yet; its incidents may be recorded again later. */
  unknown: Map<string, readonly Sent[]>;
}

/** Replicas' clocks and Slack's differ by less. */
const BEFORE_MS = MINUTE_MS;

/**
 * Looks once in each channel, before anything is posted there, for what stands there though the store doesn't know it. Says whether the message
 * itself is among it: it is adopted, or stands there with words that aren't known again.
 */
export async function adoptSent<Content>(
  ctx: AdoptCtx<Content>,
  memory: SentMemory,
  { id, kind, channel }: { id: string; kind: string; channel: string },
): Promise<'adopted' | Sent | null> {
  const { db, kinds, logger, now } = ctx;
  const adopt = kinds[kind]?.adopt;
  if (adopt === undefined) return null;
  const { lastPosted } = memory;
  if (lastPosted !== null && !(await isPosted(db, lastPosted.id))) {
    logger.warn({ messageId: lastPosted.id }, 'The database lost a message that was posted: looking for others');
    Object.assign(memory, { lastPosted: null, lostAt: lastPosted.at, unknown: new Map() });
  }
  const unknown = memory.unknown.get(channel) ?? (await unknownIn(ctx, channel, memory.lostAt));
  if (unknown === null) return null;
  let standing: 'adopted' | Sent | null = null;
  const left: Sent[] = [];
  for (const sent of unknown) {
    const isAdopted = await db.transaction((tx) => adopt(tx, sent, now()));
    if (isAdopted) logger.info({ messageId: sent.id, channel }, 'Message adopted: it stood in its channel');
    else if (sent.id !== id) left.push(sent);
    if (sent.id === id) standing = isAdopted ? 'adopted' : sent;
  }
  memory.unknown.set(channel, left);
  return standing;
}

async function isPosted(db: Db, id: string): Promise<boolean> {
  const rows = await db.rows(
    z.object({ id: z.string() }),
    sql`SELECT id FROM slack_messages WHERE id = ${id} AND ts IS NOT NULL`,
  );
  return rows.length > 0;
}

const NewestRow = z.object({ postedAt: z.date().nullable() });

async function unknownIn<Content>(
  { db, publisher, now }: AdoptCtx<Content>,
  channel: string,
  lostAt: Date | null,
): Promise<readonly Sent[] | null> {
  // A date in the future is of a clock that was wrong.
  const [newest] = await db.rows(
    NewestRow,
    sql`SELECT max(posted_at) AS posted_at FROM slack_messages WHERE posted_at <= ${now()}`,
  );
  const known = [newest?.postedAt ?? null, lostAt].filter((at) => at !== null);
  // Even its first message may be lost.
  const since = known.length === 0 ? subMilliseconds(now(), HOUR_MS) : subMilliseconds(min(known), BEFORE_MS);
  const sent = await publisher.sentSince(channel, since);
  if (sent === null) return null;
  const unknown: Sent[] = [];
  for (const each of sent) if (!(await isPosted(db, each.id))) unknown.push(each);
  return unknown;
}
