import { min, subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
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
  /** The last sign of a loss: when it posted a message that the store lost, or couldn't reach the store. */
  lossAt: Date | null;
  /** Messages of this time may be in Slack but not in the store. Null: not determined yet. */
  doubtful: TimeRange | null;
  /** By channel and thread: what Slack has and no kind adopted yet. A kind may later, once the incidents it is about are recorded again. */
  notAdopted: Map<string, readonly Sent[]>;
}

/** Replicas' clocks and Slack's differ by less. */
const BEFORE_MS = MINUTE_MS;

/** Has each place looked at again before anything more is posted there. */
export function forgetSent(memory: SentMemory, lossAt: Date): void {
  Object.assign(memory, { lastPosted: null, lossAt, doubtful: null, notAdopted: new Map() });
}

/**
 * Before the first post in a channel or thread, asks Slack what Notif posted there that the store lacks. The kind of `message` adopts what it can:
 * it writes it back to the store. Returns what it didn't adopt, or 'adopted' if `message` itself is among what it did.
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
  const { from, to } = await doubtfulRange(ctx, memory);
  // A thread that began later holds nothing that was lost.
  if (threadTs !== null && Number(threadTs) * 1_000 > to.getTime() + CLOCK_TOLERANCE_MS) return [];
  const key = keyOf(message);
  const sentThere = memory.notAdopted.get(key) ?? (await ctx.publisher.sentSince({ channel, threadTs }, from));
  if (sentThere === null) return [];
  const adopt = kinds[message.kind]?.adopt;
  let isItself = false;
  const left: Sent[] = [];
  for (const sent of await missingInStore(db, channel, sentThere)) {
    const isAdopted = adopt !== undefined && (await db.transaction((tx) => adopt(tx, sent, now())));
    if (isAdopted) logger.info({ messageId: sent.id, channel }, 'Message adopted: it stood in its channel');
    else left.push(sent);
    isItself ||= isAdopted && sent.id === message.id;
  }
  memory.notAdopted.set(key, left);
  return isItself ? 'adopted' : left;
}

/** Returns the message that Slack already has and that says what this one would: the same, or one of its fingerprint. It counts as posted. */
export function takeStanding<Content>(
  memory: SentMemory,
  message: Claimed,
  notAdopted: readonly Sent[],
  draft: Draft<Content>,
): Sent | null {
  const standing =
    notAdopted.find(({ id }) => id === message.id) ??
    notAdopted.find(({ knownBy }) => draft.is === 'drawn' && knownBy === draft.knownBy);
  if (standing === undefined) return null;
  const left = notAdopted.filter((sent) => sent !== standing);
  memory.notAdopted.set(keyOf(message), left);
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

/** The messages that the store still lacks. */
async function missingInStore(db: Db, channel: string, sent: readonly Sent[]): Promise<readonly Sent[]> {
  if (sent.length === 0) return [];
  const known = await db.rows(
    z.object({ ts: z.string() }),
    sql`SELECT ts FROM slack_messages WHERE channel = ${channel} AND ts IN ${textList(sent.map(({ ts }) => ts))}`,
  );
  return sent.filter(({ ts }) => known.every((message) => message.ts !== ts));
}

const NewestRow = z.object({ postedAt: z.date().nullable() });

/**
 * The time in which the store may have lost messages, determined once. Call it before the first outcome is stored: that would be the store's newest
 * message, and the range would be empty.
 */
export async function doubtfulRange({ db, now }: Ctx, memory: SentMemory): Promise<TimeRange> {
  if (memory.doubtful !== null) return memory.doubtful;
  const to = now();
  // A date in the future is of a clock that was wrong.
  const [newest] = await db.rows(
    NewestRow,
    sql`SELECT max(posted_at) AS posted_at FROM slack_messages WHERE posted_at <= ${to}`,
  );
  const known = [newest?.postedAt ?? null, memory.lossAt].filter((at) => at !== null);
  // Without any message in the store, even its first may be lost: then an hour is looked at.
  const from = known.length === 0 ? subMilliseconds(to, HOUR_MS) : subMilliseconds(min(known), BEFORE_MS);
  memory.doubtful = { from, to };
  return memory.doubtful;
}
