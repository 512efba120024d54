import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, jsonOf, textList } from '../store/db.ts';
import { CAN_BE_TRIED_AGAIN, SENDING_STATES } from './states.ts';

const Repeat = z.object({
  /** The key of the event that was sent again. */
  eventKey: z.string(),
  /** Of what it was sent again as. */
  transactionId: z.string(),
  state: z.enum(SENDING_STATES),
  actor: z.string(),
  at: z.date(),
});
/** An event that was sent again, and as what. */
export type Repeat = z.output<typeof Repeat>;

/** What was sent again of these events, and what these transactions repeat. */
export function repeatsAmong(
  db: Db,
  environment: string,
  { eventKeys, transactionIds }: { eventKeys: readonly string[]; transactionIds: readonly string[] },
): Promise<readonly Repeat[]> {
  return db.rows(
    Repeat,
    sql`
      SELECT t.event_key, t.id AS transaction_id, t.state, s.actor, t.claimed_at AS at
      FROM triggers t
      JOIN sendings s ON s.id = t.sending
      WHERE t.environment = ${environment}
        AND (t.event_key IN ${textList(eventKeys)} OR t.event_key IS NOT NULL AND t.id IN ${textList(transactionIds)})
        AND NOT ${jsonOf(CAN_BE_TRIED_AGAIN)}::jsonb ? t.state`,
  );
}
