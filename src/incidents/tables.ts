import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { VerdictClass } from '../failures/judge.ts';
import { SharedLabel } from '../failures/labels.ts';
import type { RecordedVerdict } from '../failures/verdict.ts';
import {
  fromZero,
  int8,
  json,
  knownText,
  knownTime,
  NEW_CODE,
  names,
  numbered,
  numberIn,
  stamp,
} from '../store/columns.ts';
import type { IncidentState } from './state.ts';

/** Verdicts that aren't tracked have incidents too, which are never open. */
export const incidents = pgTable(
  'incidents',
  {
    id: numbered(),
    code: knownText().default(NEW_CODE), // a restored backup gives its number again, with another code
    key: knownText(),
    environment: knownText(),
    channel: knownText(),
    provider: text(),
    causeText: knownText(),
    causeKey: knownText(),
    headline: text(), // null: an unknown cause
    verdictClass: text('announcement').$type<VerdictClass>().notNull(), // 'announced', or its failures' verdict
    isTest: boolean().notNull(),
    isRecipientFault: boolean('is_recipients').notNull(),
    isFaultUnknown: boolean('is_owner_unknown').notNull().default(false),
    state: text().$type<IncidentState>().notNull(),
    stateAt: knownTime(),
    lastRecordedAt: knownTime(),
    // These three are by the service's clock, the others by ours.
    firstAt: knownTime(),
    startedAt: knownTime(), // `firstAt`, or its last relapse
    lastAt: knownTime(),
    recorded: fromZero(), // its version: only grows
    newestSeq: fromZero(),
    startedSeq: fromZero(), // `newestSeq` when it last relapsed
    // From here to `critical`, all is since its last relapse.
    failures: fromZero(),
    subscribers: fromZero(),
    verdicts: text().array().$type<RecordedVerdict[]>().notNull().default(sql`'{}'`),
    severities: names(),
    critical: boolean().notNull().default(false),
    relapses: integer().notNull().default(0),
    acknowledgedBy: text(),
    acknowledgedAt: stamp(),
    assignedTo: text(),
    resolvedBy: text(), // null: open, or it recovered by itself
    successesNeeded: int8(), // as counted when it began to recover
    gapId: text(), // an outage's newest gap; null: no outage
    shared: json(SharedLabel, () => null),
  },
  (t) => [
    index('incidents_of_key').on(t.key, t.id),
    index('incidents_by_recording').on(t.environment, t.lastRecordedAt),
    index('incidents_open').on(t.environment).where(sql`state <> 'resolved'`),
  ],
);

export const incidentWorkflows = pgTable(
  'incident_workflows',
  {
    incidentId: numberIn('incidents').notNull(),
    workflow: knownText(),
    workflowName: text(),
    failures: int8().notNull(),
    critical: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.incidentId, t.workflow] })],
);

export const failures = pgTable(
  'failures',
  {
    environment: knownText(),
    eventKey: knownText(), // `eventId`, or a hash if it has none
    jobId: knownText(),
    provider: knownText(), // '': none
    seq: int8().notNull().unique().generatedAlwaysAsIdentity(),
    incidentId: int8().notNull(),
    workflow: text(),
    workflowName: text(),
    verdict: text().$type<RecordedVerdict>().notNull(),
    asOf: knownTime(), // when the service had last changed the event
    occurredAt: knownTime(),
    eventCreatedAt: knownTime(),
    recordedAt: knownTime(),
    eventId: text(),
    transactionId: knownText(),
    subscriberId: text(),
    severity: text(),
    critical: boolean().notNull(),
    topics: names(),
    contexts: names(),
    tags: names(),
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.eventKey, t.jobId, t.provider] }),
    index('failures_by_time').on(t.environment, t.occurredAt),
    index('failures_by_recording').on(t.environment, t.recordedAt),
    index('failures_of_incident').on(t.incidentId, t.seq),
    index('failures_of_incident_by_time').on(t.incidentId, t.occurredAt),
    index('failures_of_incident_by_subscriber').on(t.incidentId, t.subscriberId, t.seq),
  ],
);
