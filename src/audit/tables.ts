import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import type { StorableJson } from '../lib/text/shown-id.ts';
import { int8, json, knownText, knownTime, numbered } from '../store/columns.ts';
import { Change, ChangeOutcome } from './change.ts';

export const audit = pgTable(
  'audit',
  {
    id: numbered(),
    at: knownTime(),
    actor: knownText(),
    channel: text(),
    environment: text(),
    incidentId: int8(),
    change: json(Change, () => null)
      .$type<StorableJson<Change> | null>()
      .notNull(),
    outcome: json(ChangeOutcome, (): ChangeOutcome => ({ is: 'unknown' })).notNull(),
    intentId: text().unique(), // the idempotency key of what is recorded before it is done
  },
  (t) => [
    index('audit_by_time').on(t.at),
    index('audit_of_incident').on(t.incidentId).where(sql`incident_id IS NOT NULL`),
  ],
);
