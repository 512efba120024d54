import { sql } from 'drizzle-orm';
import { index, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { count, json, knownText, knownTime, time } from '../store/columns.ts';
import type { Recipient, SendingState } from './sending.ts';

export const triggers = pgTable(
  'triggers',
  {
    id: text().primaryKey(),
    workflow: knownText(),
    recipients: json().$type<readonly Recipient[]>().notNull(),
    claimedAt: knownTime(),
    closedAt: time(),
    // `id` is its transaction ID, `sending` the submission that it was sent by: a test, or what an incident broke.
    sending: text(),
    incidentId: count(),
    eventKey: text(),
    state: text().$type<SendingState>(),
    why: text(),
  },
  (t) => [
    index('triggers_by_age').on(t.claimedAt),
    unique('triggers_sent_again_once').on(t.incidentId, t.eventKey),
    index('triggers_of_sending').on(t.sending, t.state).where(sql`sending IS NOT NULL`),
  ],
);
