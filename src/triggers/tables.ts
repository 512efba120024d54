import { sql } from 'drizzle-orm';
import { index, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { int8, json, knownText, knownTime, stamp } from '../store/columns.ts';
import type { Recipient, SendingState } from './sending.ts';

export const triggers = pgTable(
  'triggers',
  {
    id: text().primaryKey(), // the transaction ID
    workflow: knownText(),
    recipients: json().$type<readonly Recipient[]>().notNull(),
    claimedAt: knownTime(),
    closedAt: stamp(),
    sending: text(), // the test, or the resending of an incident, that it is part of
    incidentId: int8(),
    eventKey: text(), // the event that is sent again; null: a test
    state: text().$type<SendingState>(),
    why: text(),
  },
  (t) => [
    index('triggers_by_age').on(t.claimedAt),
    unique('triggers_sent_again_once').on(t.incidentId, t.eventKey),
    index('triggers_of_sending').on(t.sending, t.state).where(sql`sending IS NOT NULL`),
  ],
);
