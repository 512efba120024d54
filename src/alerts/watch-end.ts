import { subMilliseconds } from 'date-fns';
import { and, eq, gte, isNull, max, ne } from 'drizzle-orm';
import { z } from 'zod';
import { BY_ITSELF } from '../audit/audit.ts';
import { CHANNEL_REFUSALS } from '../lib/refusals.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import { stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Draft, MessageKind, ShutOut } from '../outbox/kinds.ts';
import { enqueueDirect, leavePosted, messageWithId } from '../outbox/messages.ts';
import { type MessageRow, slackMessages } from '../outbox/tables.ts';
import { knownPeople } from '../people/identity.ts';
import type { Db } from '../store/db.ts';
import { isReadable, type Watch } from '../watches/settings.ts';
import { lockedWithEnded, recordOnWatch, updateWatch, watchWithId } from '../watches/watches.ts';
import type { WatchEndedContent } from './content.ts';

const WATCH_ENDED = 'watch-ended';
export const WatchEndedKept = z.object({ watchId: z.string(), why: z.enum(CHANNEL_REFUSALS) });

/** Tells a person that a watch was removed, or can't post. */
export const watchEndedKind: MessageKind<WatchEndedContent> = {
  Kept: WatchEndedKept,
  mustArrive: true,
  async draw(db, message) {
    const { watchId, why } = WatchEndedKept.parse(message.content);
    const watch = await lockedWithEnded(db, watchId);
    if (watch === null) return { is: 'untrue', why: 'the watch is no longer kept' };
    const { id, channel } = message;
    const knownBy = fingerprintOf(WATCH_ENDED, watchId, why);
    return { is: 'drawn', content: { kind: WATCH_ENDED, id, channel, watch, why }, said: [], knownBy, nextAt: null };
  },
  /** The operators are told instead of a person whom no message reaches. */
  async unreached(tx, message, { operators }, now) {
    const { watchId, why } = WatchEndedKept.parse(message.content);
    const personOf = await knownPeople(tx);
    const others = operators.filter((operator) => personOf(operator) !== personOf(message.channel));
    await tellEnd(tx, { watchId, why }, others, now);
  },
};

/** Draws a message of a watch, unless that has ended, or can't be read. */
export async function forWatch<Content>(
  db: Db,
  watchId: string | null,
  draw: (watch: Watch) => Promise<Draft<Content>>,
): Promise<Draft<Content>> {
  const watch = watchId === null ? null : await watchWithId(db, watchId);
  if (watch === null) return { is: 'untrue', why: 'its watch has ended' };
  return isReadable(watch) ? draw(watch) : { is: 'unreadable' };
}

/** What Slack doesn't confirm is believed after so long. */
const REFUSED_FOR_MS = 10 * MINUTE_MS;

/** A person's watch ends if Slack confirms why its channel refuses messages, or refuses for ten minutes. */
export async function shutOutOfChannel(
  tx: Db,
  message: MessageRow,
  refusal: ShutOut,
  now: Date,
): Promise<'retry' | 'give-up'> {
  const { why, isConfirmed, operators } = refusal;
  const watchId =
    message.threadOf === null ? message.owner : ((await messageWithId(tx, message.threadOf))?.owner ?? null);
  const watch = watchId === null ? null : await lockedWithEnded(tx, watchId);
  if (watch === null) return 'give-up';
  const { createdBy, refusedAt } = watch;
  const since = refusedAt ?? now;
  const isFinal = isConfirmed || since <= subMilliseconds(now, REFUSED_FOR_MS);
  // The watch of NOTIF_DIGEST_CHANNEL never ends by this.
  if (createdBy === null || !isFinal) {
    await updateWatch(tx, watch.id, { refusedAt: since });
    if (createdBy === null) await tellEnd(tx, { watchId: watch.id, why }, operators, now);
    return 'retry';
  }
  await leavePosted(tx, watch.id);
  if (watch.endedAt !== null) return 'give-up';
  await updateWatch(tx, watch.id, { endedAt: now });
  await recordOnWatch(tx, watch, { actor: BY_ITSELF, now }, { action: 'watch-lost', why });
  await tellEnd(tx, { watchId: watch.id, why }, [createdBy], now);
  return 'give-up';
}

/** Each person once, until a message arrives in the watch's channel again. */
async function tellEnd(
  tx: Db,
  { watchId, why }: z.output<typeof WatchEndedKept>,
  people: readonly string[],
  now: Date,
): Promise<void> {
  const isArrived = and(
    eq(slackMessages.owner, watchId),
    isNull(slackMessages.threadOf),
    ne(slackMessages.kind, WATCH_ENDED),
  );
  const arrivals = tx.select({ at: max(slackMessages.postedAt) }).from(slackMessages);
  const [newest] = await arrivals.where(isArrived);
  for (const person of people) {
    const isTold = and(
      eq(slackMessages.owner, watchId),
      eq(slackMessages.kind, WATCH_ENDED),
      eq(slackMessages.channel, person),
      gte(slackMessages.createdAt, newest?.at ?? new Date(0)),
    );
    if ((await tx.$count(slackMessages, isTold)) > 0) continue;
    const content = stored({ watchId, why });
    const message = { kind: WATCH_ENDED, owner: watchId, channel: person, content, createdAt: now };
    await enqueueDirect(tx, { ...message, initiator: null });
  }
}
