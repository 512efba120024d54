import { addMilliseconds, subMilliseconds } from 'date-fns';
import { BY_ITSELF } from '../audit/audit.ts';
import { type ClaimedPost, LONGEST_RETRY_MS, noteGivenUp, noteNotPosted } from '../outbox/claims.ts';
import type { WatchEnd } from '../outbox/kinds.ts';
import { leavePosted, notifyEnd } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { lockedWithEnded, recordOnWatch, updateWatch } from '../watches/watches.ts';

const REFUSED_FOR_MS = 10 * 60_000;

type ShutOut = { why: WatchEnd; reason: string; isConfirmed: boolean; operators: readonly string[] };

/** A person's watch ends if the channel confirms it or still refuses after ten minutes. */
export function shutOut(db: Db, claimed: ClaimedPost, { why, reason, isConfirmed, operators }: ShutOut, now: Date) {
  return db.transaction(async (tx) => {
    const watch = claimed.watchId === null ? null : await lockedWithEnded(tx, claimed.watchId);
    const notify = (people: readonly string[]) => notifyEnd(tx, claimed.watchId, people, { why, now });
    if (claimed.kind === 'watch-ended') {
      await noteGivenUp(tx, claimed, reason);
      if (watch !== null) await notify(operators.filter((operator) => operator !== claimed.channel));
      return;
    }
    if (watch === null) return noteGivenUp(tx, claimed, reason);
    const since = watch.refusedAt ?? now;
    const isOver = watch.createdBy !== null && (isConfirmed || since <= subMilliseconds(now, REFUSED_FOR_MS));
    if (!isOver) {
      await noteNotPosted(tx, claimed, why, addMilliseconds(now, LONGEST_RETRY_MS));
      await updateWatch(tx, watch.id, { refusedAt: since });
      if (watch.createdBy === null) await notify(operators);
      return;
    }
    await noteGivenUp(tx, claimed, reason);
    await leavePosted(tx, watch.id, { isFrozen: true });
    if (watch.endedAt !== null) return;
    await updateWatch(tx, watch.id, { endedAt: now });
    await recordOnWatch(tx, watch, { by: BY_ITSELF, now }, { action: 'watch-lost', why });
    await notify(watch.createdBy === null ? operators : [watch.createdBy]);
  });
}
