import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Stored } from '../lib/text/shown-id.ts';
import type { ServiceProblem } from '../service/service-error.ts';
import { int8, json, jsonByRow, knownText, knownTime, numbered, type Table } from '../store/columns.ts';

type Why = ServiceProblem['kind'] | 'not-found';
const Why = z.custom<Why>((why) => typeof why === 'string');

export const ChangeOutcome = z.discriminatedUnion('is', [
  z.object({ is: z.enum(['begun', 'done', 'unknown']) }),
  z.object({ is: z.literal('sent'), accepted: z.number(), refused: z.number() }),
  /** It is a code, since the service's message may quote what was typed. */
  z.object({ is: z.literal('refused'), why: Why }),
]);
export type ChangeOutcome = z.output<typeof ChangeOutcome>;

/** What a person did, or what Notif saw happen to an incident: one table, so that an incident's entries are its timeline. */
export interface EntryRow {
  id: number;
  at: Date;
  actor: string;
  channel: string | null;
  environment: string | null;
  incidentId: number | null;
  outbreak: number | null;
  /** Typed by the noun whose change it is. */
  change: Stored;
  outcome: ChangeOutcome;
  /** The idempotency key of what is recorded before it is done. */
  intentId: string | null;
}

export const audit: Table<'audit', EntryRow, 'id'> = pgTable(
  'audit',
  {
    id: numbered(),
    at: knownTime(),
    actor: knownText(),
    channel: text(),
    environment: text(),
    incidentId: int8(),
    outbreak: integer(),
    change: jsonByRow().$type<Stored>().notNull(),
    outcome: json(ChangeOutcome, (): ChangeOutcome => ({ is: 'unknown' })).notNull(),
    intentId: text().unique(),
  },
  (t) => [
    index('audit_by_time').on(t.at),
    index('audit_of_incident').on(t.incidentId).where(sql`incident_id IS NOT NULL`),
  ],
);
