import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { MASK } from '../lib/text/mask.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { OUTCOME_ORDER } from '../lookups/outcome.ts';
import { int8, json, knownText, knownTime, StoredText, stamp } from '../store/columns.ts';
import { ResendChoices } from './resend-plan.ts';
import type { TriggerState } from './trigger-states.ts';

export const Recipient = z.object({
  /** A contact is sealed. */
  subscriberId: StoredText,
  shownId: StoredText.default(boundedId(MASK)),
  row: z.number().default(0),
  /** Counts how often it was sent without a readable answer. */
  tries: z.number().exactOptional(),
  /** Of an event that failed, in the card's words. */
  outcome: z.enum(OUTCOME_ORDER).catch('failed').exactOptional(),
});
export type Recipient = z.output<typeof Recipient>;
export const Recipients = z.array(Recipient);

const StoredTexts = z.array(StoredText);
export const StoredChoices = ResendChoices.extend({
  workflows: StoredTexts,
  eventKeys: StoredTexts.default([]),
  labels: StoredTexts.default([]),
});

/** A test, or the resending of what an incident broke. */
export const sendings = pgTable(
  'sendings',
  {
    id: text().primaryKey(), // the form's intent
    environment: knownText(),
    actor: knownText(),
    channel: text(), // where the actor asked for it; null: not in a channel
    incidentId: int8(), // null: a test
    choices: json(StoredChoices, () => null),
    startedAt: knownTime(),
    refusedInARow: integer().notNull().default(0),
    batchSize: integer().notNull().default(50),
    lastRefusal: text(),
    stoppedAt: stamp(),
    stoppedBy: text(), // null: it stopped by itself
    endedAt: stamp(),
  },
  (t) => [index('sendings_open').on(t.startedAt).where(sql`ended_at IS NULL`)],
);

/** What became of each event of a sending. */
export const triggers = pgTable(
  'triggers',
  {
    id: text().primaryKey(), // the transaction ID
    environment: knownText(),
    workflow: knownText(),
    recipients: json(Recipients, () => []).notNull(),
    claimedAt: knownTime(),
    closedAt: stamp(),
    sending: text(),
    incidentId: int8(),
    eventKey: text(), // the event that is sent again; null: a test
    sentAs: text(), // the key of the event that the service made of it
    state: text().$type<TriggerState>(),
    why: text(),
  },
  (t) => [
    index('triggers_by_age').on(t.claimedAt),
    unique('triggers_sent_once').on(t.environment, t.eventKey),
    index('triggers_of_sending').on(t.sending, t.state).where(sql`sending IS NOT NULL`),
  ],
);
export type TriggerRow = typeof triggers.$inferSelect;
