import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { watches } from '../store/schema.ts';
import { jsonOf } from '../store/values.ts';
import type { WatchEnd } from '../watches/settings.ts';
import { type Claimed, noteGivenUp, noteNotPosted } from './outbox.ts';

/**
 * A channel takes no messages of Notif. A watch that a person made ends, and that person is told; the configured watch is tried again, and
 * operators are told once until it works. They are also told instead of a person who takes no messages.
 */
export function shutOut(
  db: Db,
  claimed: Claimed,
  { why, reason, retryAt }: { readonly why: WatchEnd; readonly reason: string; readonly retryAt: Date },
  operators: readonly string[],
  now: Date,
) {
  return db.transaction(async (tx): Promise<'watch ended' | 'tried again' | 'given up'> => {
    const hasId = eq(watches.id, claimed.watchId ?? '');
    const [watch] = await tx.select().from(watches).where(hasId);
    const tell = (people: readonly string[]) => tx.write(TELL, [claimed.watchId, jsonOf(people), jsonOf({ why }), now]);
    if (watch?.isConfigured && claimed.kind !== 'watch-ended') {
      // In our words, by which the backlog knows what its channel blocks.
      await noteNotPosted(tx, claimed, why, retryAt);
      await tell(operators);
      return 'tried again';
    }
    await noteGivenUp(tx, claimed, reason);
    if (watch === undefined) return 'given up';
    if (claimed.kind === 'watch-ended') {
      await tell(operators.filter((operator) => operator !== claimed.channel));
      return 'given up';
    }
    const ended = { endedAt: now, endedBy: 'notif', endedWhy: why };
    const isActive = and(hasId, isNull(watches.endedAt));
    const newlyEnded = await tx.update(watches).set(ended).where(isActive).returning({ id: watches.id });
    if (newlyEnded.length > 0) await tell(watch.createdBy === null ? operators : [watch.createdBy]);
    return 'watch ended';
  });
}

/** Nobody is told twice of the same trouble, which lasts until a message arrives in the channel again. */
const TELL = `
  INSERT INTO messages (watch_id, kind, recipient, content, created_at)
  SELECT $1, 'watch-ended', person.id, $3::jsonb, $4 FROM jsonb_array_elements_text($2::jsonb) AS person (id)
  WHERE NOT EXISTS (
    SELECT FROM messages before WHERE before.watch_id = $1 AND before.kind = 'watch-ended' AND before.recipient = person.id
      AND before.created_at >= coalesce(
        (SELECT max(posted_at) FROM messages arrived WHERE arrived.watch_id = $1 AND arrived.recipient IS NULL), '-infinity'))`;
