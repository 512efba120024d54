import { z } from 'zod';
import type { Db } from '../store/db.ts';
import { jsonOf } from '../store/values.ts';
import type { WatchEnd } from '../watches/settings.ts';
import { type Claimed, noteGivenUp, noteNotPosted } from './outbox.ts';

const WatchRow = z.object({ created_by: z.string().nullable(), is_configured: z.boolean() });

export interface ShutOut {
  readonly why: WatchEnd;
  readonly reason: string;
  readonly operators: readonly string[];
  readonly retryAt: Date;
}

/**
 * A channel takes no messages of Notif. A watch that a person made ends, and that person is told; the configured watch is tried again, and
 * operators are told once until it works. They are also told instead of a person who takes no messages.
 */
export function shutOut(db: Db, claimed: Claimed, { why, reason, operators, retryAt }: ShutOut, now: Date) {
  return db.transaction(async (sql): Promise<'watch ended' | 'tried again' | 'given up'> => {
    const one = 'SELECT created_by, is_configured FROM watches WHERE id = $1';
    const [watch] = claimed.watchId === null ? [] : await sql.rows(WatchRow, one, [claimed.watchId]);
    const watchId = claimed.watchId ?? '';
    if (watch === undefined || claimed.kind === 'watch-ended') {
      await noteGivenUp(sql, claimed, reason);
      const others = operators.filter((operator) => operator !== claimed.channel);
      if (watch !== undefined) await tell(sql, watchId, why, others, now);
      return 'given up';
    }
    if (watch.is_configured) {
      // In our words, by which the backlog knows what its channel blocks.
      await noteNotPosted(sql, claimed, why, retryAt);
      await tell(sql, watchId, why, operators, now);
      return 'tried again';
    }
    await noteGivenUp(sql, claimed, reason);
    const end = `UPDATE watches SET ended_at = $2, ended_by = 'notif', ended_why = $3 WHERE id = $1 AND ended_at IS NULL`;
    const isFirst = (await sql.write(end, [watchId, now, why])) > 0;
    if (isFirst) await tell(sql, watchId, why, watch.created_by === null ? operators : [watch.created_by], now);
    return 'watch ended';
  });
}

async function tell(sql: Db, watchId: string, why: WatchEnd, people: readonly string[], now: Date): Promise<void> {
  await sql.write(TELL, [watchId, jsonOf(people), jsonOf({ why }), now]);
}

/** Nobody is told twice of the same trouble, which lasts until a message arrives in the channel again. */
const TELL = `
  INSERT INTO messages (watch_id, kind, recipient, content, created_at)
  SELECT $1, 'watch-ended', person.id, $3::jsonb, $4 FROM jsonb_array_elements_text($2::jsonb) AS person (id)
  WHERE NOT EXISTS (
    SELECT FROM messages before WHERE before.watch_id = $1 AND before.kind = 'watch-ended' AND before.recipient = person.id
      AND before.created_at >= coalesce(
        (SELECT max(posted_at) FROM messages arrived WHERE arrived.watch_id = $1 AND arrived.recipient IS NULL), '-infinity'))`;
