import { sql } from 'drizzle-orm';
import { bigint, boolean, customType, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import type { Change, ChangeOutcome } from '../audit/audit.ts';
import type { Changed } from '../changes/change.ts';
import type { AlertReason } from '../digests/decide.ts';
import type { MessageKind } from '../digests/outbox.ts';
import type { Announcement } from '../failures/failure.ts';
import type { SharedLabel } from '../failures/labels.ts';
import type { FailureVerdict } from '../failures/verdict.ts';
import type { IncidentState } from '../incidents/state.ts';
import type { ServiceProblem } from '../lib/errors.ts';
import { type GapCause, windowsOf } from '../polling/gap.ts';
import type { Recipient } from '../triggers/sending.ts';
import type { SendingState } from '../triggers/sending-state.ts';
import { settingsOf } from '../watches/settings.ts';
import { jsonOf } from './db.ts';

const time = customType<{ data: Date; driverData: Date }>({ dataType: () => 'timestamp with time zone' });
const json = customType<{ data: unknown; driverData: unknown }>({ dataType: () => 'jsonb', toDriver: jsonOf });
const parsed = <Data>(fromDriver: (stored: unknown) => Data) =>
  customType<{ data: Data }>({ dataType: () => 'jsonb', toDriver: jsonOf, fromDriver });
const gapWindows = parsed(windowsOf);
const watchSettings = parsed(settingsOf);
const count = () => bigint({ mode: 'number' });
const knownTime = () => time().notNull();
const knownText = () => text().notNull();
const fromZero = () => count().notNull().default(0);
const numbered = () => count().primaryKey().generatedAlwaysAsIdentity();
const NEW_ID = sql`gen_random_uuid()::text`;
const names = () => text().array().notNull().default(sql`'{}'`);

export const environments = pgTable('environments', {
  environment: text().primaryKey(),
  coveredFrom: knownTime(),
  checkedTo: knownTime(), // by the service's clock
  readTo: json().$type<Record<string, string>>().notNull().default({}), // by age in minutes
  ...{ lastPollAt: time(), lastSuccessAt: time(), failingSince: time() },
  problem: json().$type<ServiceProblem>(),
  announcedAt: time(),
  ...{ news: fromZero(), announcedNews: fromZero(), behindMs: fromZero() },
  clockAheadMs: count(), // null: its answers don't say
});

export const gaps = pgTable(
  'gaps',
  {
    id: text().primaryKey().default(NEW_ID),
    environment: knownText(),
    from: time('begins_at').notNull(),
    to: time('ends_at'), // null while it continues
    cause: text().$type<GapCause>().notNull(),
    ...{ openedAt: knownTime(), closedAt: time() },
    windows: gapWindows('unchecked').notNull().default([]),
    ...{ events: fromZero(), failures: fromZero() },
  },
  (t) => [
    index('gaps_open').on(t.environment).where(sql`closed_at IS NULL`),
    index('gaps_by_time').on(t.environment, t.from),
  ],
);

export const eventCounts = pgTable(
  'event_counts',
  {
    ...{ environment: knownText(), workflow: knownText(), minute: knownTime() },
    ...{ events: integer().notNull(), unreadable: integer().notNull() },
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.workflow, t.minute] }),
    index('event_counts_by_minute').on(t.environment, t.minute),
  ],
);

/** `minute`: of the step; `created`: of its event. */
export const successCounts = pgTable(
  'success_counts',
  {
    ...{ environment: knownText(), workflow: knownText(), channel: knownText(), provider: knownText() },
    ...{ minute: knownTime(), created: knownTime() },
    ...{ successes: integer().notNull(), lastAt: knownTime() },
    latencies: json().$type<Record<number, number>>().notNull().default({}), // by their bucket (`latency.ts`)
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.channel, t.provider, t.workflow, t.minute, t.created] }),
    index('success_counts_by_creation').on(t.environment, t.created),
  ],
);

export const workflows = pgTable(
  'workflows',
  {
    environment: knownText(),
    ...{ identifier: knownText(), id: text(), name: knownText() },
    variables: json().$type<string[]>().notNull(),
    lastSeenAt: knownTime(),
  },
  (t) => [primaryKey({ columns: [t.environment, t.identifier] })],
);

/** What only counts (retried, then fine) has a row too, which is never open. */
export const incidents = pgTable(
  'incidents',
  {
    id: numbered(),
    ...{ key: knownText(), environment: knownText(), channel: knownText(), provider: text() },
    ...{ causeText: knownText(), causeKey: knownText(), headline: text() }, // null: an unknown cause
    announcement: text().$type<Announcement>().notNull(),
    ...{ isTest: boolean().notNull(), isRecipients: boolean().notNull() },
    isOwnerUnknown: boolean().notNull().default(false),
    state: text().$type<IncidentState>().notNull(),
    stateAt: knownTime(),
    ...{ firstAt: knownTime(), startedAt: knownTime(), lastAt: knownTime() }, // by the service's clock
    lastRecordedAt: knownTime(),
    recorded: fromZero(), // only grows
    ...{ newestSeq: fromZero(), startedSeq: fromZero(), failures: fromZero(), subscribers: fromZero() },
    verdicts: text().array().$type<FailureVerdict[]>().notNull().default(sql`'{}'`),
    severities: names(),
    critical: boolean().notNull().default(false),
    relapses: integer().notNull().default(0),
    ...{ acknowledgedBy: text(), acknowledgedAt: time() },
    assignedTo: text(),
    resolvedBy: text(), // null: it recovered by itself
    successesNeeded: count(), // since it began to recover
    gapId: text(), // of the environment itself, which couldn't be read: the newest gap of it
    shared: json().$type<SharedLabel>(), // null: nothing was found
  },
  (t) => [
    index('incidents_of_key').on(t.key, t.id),
    index('incidents_by_recording').on(t.environment, t.lastRecordedAt),
    index('incidents_open').on(t.environment).where(sql`state <> 'resolved'`),
  ],
);

const incidentId = () => count().references(() => incidents.id, { onDelete: 'cascade' });

export const incidentWorkflows = pgTable(
  'incident_workflows',
  {
    incidentId: incidentId().notNull(),
    ...{ workflow: knownText(), workflowName: text() },
    failures: count().notNull(),
    critical: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.incidentId, t.workflow] })],
);

export const failures = pgTable(
  'failures',
  {
    ...{ environment: knownText(), eventKey: knownText(), jobId: knownText(), provider: knownText() }, // '': none
    seq: count().notNull().unique().generatedAlwaysAsIdentity(),
    incidentId: count().notNull(),
    ...{ workflow: text(), workflowName: text() },
    verdict: text().$type<FailureVerdict>().notNull(),
    asOf: knownTime(), // when the service had last changed its event
    ...{ occurredAt: knownTime(), eventCreatedAt: knownTime(), recordedAt: knownTime() },
    ...{ eventId: text(), transactionId: knownText(), subscriberId: text() },
    ...{ severity: text(), critical: boolean().notNull() },
    ...{ topics: names(), contexts: names(), tags: names() },
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

export const watches = pgTable(
  'watches',
  {
    id: text().primaryKey().default(NEW_ID),
    ...{ channel: knownText(), number: integer().notNull() },
    createdAt: knownTime(),
    createdBy: text(), // null: NOTIF_DIGEST_CHANNEL
    settings: watchSettings().notNull(),
    ...{ tellsFrom: knownTime(), tellsAfter: fromZero() }, // `tellsAfter`: the newest failure by then
    held: json().$type<readonly number[]>().notNull().default([]), // incidents of before, still to be told
    ...{ endedAt: time(), summedTo: time(), refusedAt: time() },
    changesTo: json().$type<Record<string, number>>(),
  },
  (t) => [index('watches_in_channel').on(t.channel).where(sql`ended_at IS NULL`)],
);

const watchId = () => text().references(() => watches.id, { onDelete: 'cascade' });

export const mutes = pgTable(
  'mutes',
  {
    id: text().primaryKey().default(NEW_ID),
    watchId: watchId().notNull(),
    incidentId: incidentId(),
    ...{ by: text('muted_by').notNull(), from: time('muted_at').notNull(), until: knownTime() },
  },
  (t) => [index('mutes_of_watch').on(t.watchId, t.until)],
);

export const audit = pgTable(
  'audit',
  {
    id: numbered(),
    ...{ at: knownTime(), actor: knownText() },
    ...{ channel: text(), environment: text(), incidentId: count() },
    change: json().$type<Change>().notNull(),
    outcome: json().$type<ChangeOutcome>().notNull(),
    intentId: text().unique(),
  },
  (t) => [
    index('audit_by_time').on(t.at),
    index('audit_of_incident').on(t.incidentId).where(sql`incident_id IS NOT NULL`),
  ],
);

/** Drawn from the state of when it is posted or edited. */
export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey().default(NEW_ID),
    watchId: watchId(),
    recipient: text(),
    kind: text().$type<MessageKind>().notNull(),
    subject: knownText().default(NEW_ID), // what it is told of once: a day
    environment: knownText().default(''), // '': of several
    threadOf: text(),
    content: json().notNull().default({}),
    createdAt: knownTime(),
    state: text().$type<'waiting' | 'posting' | 'posted' | 'gone'>().notNull().default('waiting'),
    attempt: integer().notNull().default(0),
    nextAt: time(), // null: at once, or not at all
    begunAt: time(),
    leasedUntil: time(), // by the database's clock
    unresolvedSince: time(),
    lastRefusal: text(),
    ...{ postedAt: time(), ts: text() },
    shownHash: text(), // null: not posted; '' or a mark alone: nobody knows
    ...{ drawnAt: time(), drawn: fromZero() }, // `drawn`: what was recorded of its incidents by then
    isFrozen: boolean().notNull().default(false),
  },
  (t) => [
    unique('messages_told_once').on(t.watchId, t.kind, t.subject),
    index('messages_to_post').on(t.createdAt).where(sql`state IN ('waiting', 'posting')`),
    index('messages_to_draw')
      .on(t.nextAt)
      .where(sql`state = 'posted' AND NOT is_frozen AND (next_at IS NOT NULL OR leased_until IS NOT NULL)`),
    index('messages_by_age').on(t.createdAt),
  ],
);

const messageId = () => text().references(() => messages.id, { onDelete: 'cascade' });

export const alerts = pgTable(
  'alerts',
  {
    messageId: messageId().notNull(),
    incidentId: incidentId().notNull(),
    watchId: text(),
    reason: text().$type<AlertReason>().notNull(),
    at: knownTime(),
    ...{ recorded: count().notNull(), seq: count().notNull(), matched: count().notNull() },
    ...{ relapses: integer().notNull(), critical: boolean().notNull() },
    ...{ missed: count(), stateAt: time() },
    escalated: boolean().notNull().default(false), // in its outbreak
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.incidentId] }),
    index('alerts_of_incident').on(t.incidentId, t.watchId, t.at),
    index('alerts_of_watch').on(t.watchId, t.at),
  ],
);

export const changes = pgTable(
  'changes',
  {
    id: numbered(),
    environment: knownText(),
    at: knownTime(),
    after: time('not_before'), // null: exactly at `at`
    what: json().$type<Changed>().notNull(),
  },
  (t) => [index('changes_by_time').on(t.environment, t.at)],
);

export const kv = pgTable('kv', {
  key: text().primaryKey(),
  value: json().notNull(),
  expiresAt: time(),
});

export const triggers = pgTable(
  'triggers',
  {
    id: text().primaryKey(),
    workflow: knownText(),
    recipients: json().$type<readonly Recipient[]>().notNull(),
    ...{ claimedAt: knownTime(), closedAt: time() },
    // `id` is its transaction ID, `sending` the submission that it was sent by: a test, or what an incident broke.
    sending: text(),
    incidentId: count(),
    eventKey: text(),
    ...{ state: text().$type<SendingState>(), why: text() },
  },
  (t) => [
    index('triggers_by_age').on(t.claimedAt),
    unique('triggers_sent_again_once').on(t.incidentId, t.eventKey),
    index('triggers_of_sending').on(t.sending, t.state).where(sql`sending IS NOT NULL`),
  ],
);
