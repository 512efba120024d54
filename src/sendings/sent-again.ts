import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { InputError } from '../lib/errors.ts';
import { hashOf } from '../lib/text/hash.ts';
import { type Db, jsonOf, textList } from '../store/db.ts';
import type { OriginalEvent } from './original.ts';
import { sentAgainWords } from './resend-plan.ts';
import { triggers } from './tables.ts';
import { REPEATABLE_STATES, TRIGGER_STATES } from './trigger-states.ts';

export const isResentId = (transactionId: string): boolean => /^resend-[0-9a-f]{24}$/.test(transactionId);

/** The service ignores a trigger whose ID it has (docs/service.md): another attempt can't send twice. */
export function resentId(environment: string, eventKey: string): string {
  return `resend-${hashOf(JSON.stringify([environment, eventKey]), 24)}`;
}

const Repeat = z.object({
  /** The key of the event that was sent again. */
  eventKey: z.string(),
  /** Of what it was sent again as. */
  transactionId: z.string(),
  state: z.enum(TRIGGER_STATES),
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
        AND t.event_key IS NOT NULL
        AND (t.event_key IN ${textList(eventKeys)} OR t.id IN ${textList(transactionIds)})
        AND NOT ${jsonOf(REPEATABLE_STATES)}::jsonb ? t.state`,
  );
}

/** Throws if it was: each event is sent again once. */
export async function refuseIfSentAgain(db: Db, { environment, eventKey }: OriginalEvent): Promise<void> {
  const isEvent = and(eq(triggers.environment, environment), eq(triggers.eventKey, eventKey));
  const [trigger] = await db.select().from(triggers).where(isEvent);
  if (trigger === undefined || trigger.state === null || REPEATABLE_STATES.includes(trigger.state)) return;
  const verb = trigger.state === 'waiting' || trigger.state === 'sending' ? 'is' : 'was';
  const next = `The new event can be sent again: /notif event ${trigger.id}`;
  throw new InputError('event', `This event ${verb} ${sentAgainWords(trigger.state)}.`, null, next);
}
