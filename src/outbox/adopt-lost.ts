import { min, subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import { type Ctx, type Db, textList } from '../store/db.ts';
import type { Claimed } from './claims.ts';
import type { Draft, Kinds, Place, Publisher, Sent } from './kinds.ts';

export interface AdoptCtx<Content> extends Ctx {
  publisher: Pick<Publisher<Content>, 'sentSince'>;
  kinds: Kinds<Content>;
}

/** What this process knows of messages that its store may have lost, as after a failover or in a restored backup. */
export interface SentMemory {
  /** The newest message that this process posted. */
  lastPosted: { id: string; at: Date } | null;
  /** When it posted what its store lost, or couldn't reach its store. */
  lostAt: Date | null;
  /** Since when, and up to when, messages may stand in Slack that the store doesn't know. Null: that wasn't asked yet. */
  lost: { since: Date; to: Date } | null;
  /** By place: what isn't adopted yet; what it is about may be recorded again later. */
  unknown: Map<string, readonly Sent[]>;
}

/** Replicas' clocks and Slack's differ by less. */
const BEFORE_MS = MINUTE_MS;

/** Has each place looked at again before anything more is posted there. */
export function forgetSent(memory: SentMemory, lostAt: Date): void {
  Object.assign(memory, { lastPosted: null, lostAt, lost: null, unknown: new Map() });
}

/**
 * Looks once in each place, before anything is posted there, for what stands there though the store doesn't know it. Returns what its kind doesn't
 * know again, or 'adopted' if the message itself is known again.
 */
export async function adoptSent<Content>(
  ctx: AdoptCtx<Content>,
  memory: SentMemory,
  message: Claimed,
): Promise<'adopted' | readonly Sent[]> {
  const { db, kinds, logger, now } = ctx;
  const { lastPosted } = memory;
  if (lastPosted !== null && !(await isPosted(db, lastPosted.id))) {
    logger.warn({ messageId: lastPosted.id }, 'The database lost a message that was posted: looking for others');
    forgetSent(memory, lastPosted.at);
  }
  const { channel, threadTs } = message;
  const { since, to } = await lostIn(ctx, memory);
  // A thread that began later holds nothing that was lost.
  if (threadTs !== null && Number(threadTs) * 1_000 > to.getTime() + CLOCK_TOLERANCE_MS) return [];
  const key = keyOf(message);
  const unknown = memory.unknown.get(key) ?? (await ctx.publisher.sentSince({ channel, threadTs }, since));
  if (unknown === null) return [];
  const adopt = kinds[message.kind]?.adopt;
  let isItself = false;
  const left: Sent[] = [];
  for (const sent of await stillUnknown(db, channel, unknown)) {
    const isAdopted = adopt !== undefined && (await db.transaction((tx) => adopt(tx, sent, now())));
    if (isAdopted) logger.info({ messageId: sent.id, channel }, 'Message adopted: it stood in its channel');
    else left.push(sent);
    isItself ||= isAdopted && sent.id === message.id;
  }
  memory.unknown.set(key, left);
  return isItself ? 'adopted' : left;
}

/** The message as it stands in Slack already, or one that tells the same; it is told with that. */
export function takeStanding<Content>(
  memory: SentMemory,
  message: Claimed,
  unknown: readonly Sent[],
  draft: Draft<Content>,
): Sent | null {
  const standing =
    unknown.find(({ id }) => id === message.id) ??
    unknown.find(({ knownBy }) => draft.is === 'drawn' && knownBy === draft.knownBy);
  if (standing === undefined) return null;
  const left = unknown.filter((sent) => sent !== standing);
  memory.unknown.set(keyOf(message), left);
  return standing;
}

const keyOf = ({ channel, threadTs }: Place): string => `${channel} ${threadTs ?? ''}`;

async function isPosted(db: Db, id: string): Promise<boolean> {
  const rows = await db.rows(
    z.object({ id: z.string() }),
    sql`SELECT id FROM slack_messages WHERE id = ${id} AND ts IS NOT NULL`,
  );
  return rows.length > 0;
}

/** Without those that the store knows by now. */
async function stillUnknown(db: Db, channel: string, sent: readonly Sent[]): Promise<readonly Sent[]> {
  if (sent.length === 0) return [];
  const known = await db.rows(
    z.object({ ts: z.string() }),
    sql`SELECT ts FROM slack_messages WHERE channel = ${channel} AND ts IN ${textList(sent.map(({ ts }) => ts))}`,
  );
  return sent.filter(({ ts }) => known.every((message) => message.ts !== ts));
}

const NewestRow = z.object({ postedAt: z.date().nullable() });

/**
 * The time in which the store may have lost messages. Needed before the first outcome: by what is noted then, the store's newest message would be one of
 * now.
 */
export async function lostIn({ db, now }: Ctx, memory: SentMemory): Promise<{ since: Date; to: Date }> {
  if (memory.lost !== null) return memory.lost;
  const to = now();
  // A date in the future is of a clock that was wrong.
  const [newest] = await db.rows(
    NewestRow,
    sql`SELECT max(posted_at) AS posted_at FROM slack_messages WHERE posted_at <= ${to}`,
  );
  const known = [newest?.postedAt ?? null, memory.lostAt].filter((at) => at !== null);
  // Even its first message may be lost.
  const since = known.length === 0 ? subMilliseconds(to, HOUR_MS) : subMilliseconds(min(known), BEFORE_MS);
  memory.lost = { since, to };
  return memory.lost;
}
