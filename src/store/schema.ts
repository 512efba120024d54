import { sql } from 'drizzle-orm';
import { bigint, boolean, customType, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import type { Change, ChangeOutcome } from '../audit/entry.ts';
import type { Changed } from '../changes/change.ts';
import type { Reason } from '../digests/decide.ts';
import type { Kind } from '../digests/message.ts';
import type { Announcement } from '../failures/failure.ts';
import type { FailureVerdict } from '../failures/verdict.ts';
import type { ServiceProblem } from '../lib/errors.ts';
import type { GapCause } from '../polling/gap.ts';
import type { TriggerResult } from '../service/trigger.ts';
import type { TriggerIntent } from '../triggers/intents.ts';
import type { WatchEnd, WatchSettings } from '../watches/settings.ts';
import { jsonOf } from './db.ts';

/** The driver's Date, which `storable` keeps within what PostgreSQL can parse. */
const time = customType<{ data: Date; driverData: Date }>({ dataType: () => 'timestamp with time zone' });
/** Times within it are text when they are read. */
const json = customType<{ data: unknown; driverData: unknown }>({ dataType: () => 'jsonb', toDriver: jsonOf });
const count = () => bigint({ mode: 'number' });
const names = () => text().array().notNull().default(sql`'{}'`);

/** How far an environment's list has been read; what records locks its row. */
export const environments = pgTable('environments', {
  environment: text().primaryKey(),
  /** No pass reads what was created before. */
  coveredFrom: time().notNull(),
  /** How far the present was read and, by age in minutes, each pass (polling/passes.ts); by the service's clock. */
  checkedTo: time().notNull(),
  readTo: json().$type<Record<string, string>>().notNull().default({}),
  /** By the service's clock, of the events that finished polls have read. */
  newestEventAt: time(),
  lastPollAt: time(),
  lastSuccessAt: time(),
  failingSince: time(),
  /** Scrubbed. */
  problem: json().$type<ServiceProblem>(),
  /** When announcing last succeeded for every watch. */
  announcedAt: time(),
  /** Counts recorded news; and its value when announcing last succeeded. */
  news: count().notNull().default(0),
  announcedNews: count().notNull().default(0),
  /** How late the passes are, in milliseconds. */
  behindMs: count().notNull().default(0),
  /** How far the service's clock was ahead of Notif's, in milliseconds; null: its answers don't say. */
  clockAheadMs: count(),
});

/** A time range that wasn't checked when it was due. */
export const gaps = pgTable(
  'gaps',
  {
    id: text().primaryKey().default(sql`gen_random_uuid()::text`),
    environment: text().notNull(),
    beginsAt: time().notNull(),
    /** Null while nothing can be read. */
    endsAt: time(),
    cause: text().$type<GapCause>().notNull(),
    openedAt: time().notNull(),
    closedAt: time(),
    /** What of it isn't checked. `nextTryAt` is null where it was given up. */
    unchecked: json()
      .$type<{ from: string; to: string; tries: number; nextTryAt: string | null }[]>()
      .notNull()
      .default([]),
    /** What Notif found in it. */
    events: count().notNull().default(0),
    failures: count().notNull().default(0),
  },
  (t) => [
    index('gaps_open').on(t.environment).where(sql`closed_at IS NULL`),
    index('gaps_by_time').on(t.environment, t.beginsAt),
  ],
);

export const eventCounts = pgTable(
  'event_counts',
  {
    environment: text().notNull(),
    minute: time().notNull(),
    /** '' for events without one and for unreadable events. */
    workflow: text().notNull(),
    events: integer().notNull(),
    unreadable: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.workflow, t.minute] }),
    index('event_counts_by_minute').on(t.environment, t.minute),
  ],
);

/** Delivered steps by the minute in which they were, and that in which their events were created. */
export const successCounts = pgTable(
  'success_counts',
  {
    environment: text().notNull(),
    workflow: text().notNull(),
    channel: text().notNull(),
    /** '' where there is none. */
    provider: text().notNull(),
    minute: time().notNull(),
    created: time().notNull(),
    successes: integer().notNull(),
    lastAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.channel, t.provider, t.minute, t.workflow, t.created] }),
    index('success_counts_by_creation').on(t.environment, t.created),
  ],
);

export const workflows = pgTable(
  'workflows',
  {
    environment: text().notNull(),
    identifier: text().notNull(),
    id: text(),
    name: text().notNull(),
    variables: json().$type<string[]>().notNull(),
    lastSeenAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.environment, t.identifier] })],
);

/**
 * One cause at one channel and provider of an environment, over all workflows; its number is the installation's. What only counts (retried,
 * then fine; skipped by design) has a row too, which is never open.
 */
export const incidents = pgTable(
  'incidents',
  {
    id: count().primaryKey().generatedAlwaysAsIdentity(),
    /** The same whenever this cause comes back (incidents/incident.ts, keyOf). */
    key: text().notNull(),
    environment: text().notNull(),
    channel: text().notNull(),
    provider: text(),
    causeText: text().notNull(),
    causeKey: text().notNull(),
    announcement: text().$type<Announcement>().notNull(),
    isTest: boolean().notNull(),
    /** The catalogue says that its cause is a recipient's own. */
    isRecipients: boolean().notNull(),
    /** incidents/state.ts; `stateAt` by our clock. */
    state: text({ enum: ['firing', 'recovering', 'unconfirmed', 'resolved'] }).notNull(),
    stateAt: time().notNull(),
    /** When failures occurred, by the service's clock: the first, the first of the current outbreak, the last. */
    firstAt: time().notNull(),
    startedAt: time().notNull(),
    lastAt: time().notNull(),
    lastRecordedAt: time().notNull(),
    /** Only grows: its version. */
    recorded: count().notNull().default(0),
    newestSeq: count().notNull().default(0),
    /** The failures after this one belong to the current outbreak. */
    startedSeq: count().notNull().default(0),
    failures: count().notNull().default(0),
    events: count().notNull().default(0),
    subscribers: count().notNull().default(0),
    verdicts: text().array().$type<FailureVerdict[]>().notNull().default(sql`'{}'`),
    severities: names(),
    critical: boolean().notNull().default(false),
    relapses: integer().notNull().default(0),
    acknowledgedBy: text(),
    acknowledgedAt: time(),
    assignedTo: text(),
    assignedBy: text(),
    assignedAt: time(),
    /** Null: it recovered by itself. */
    resolvedBy: text(),
  },
  (t) => [
    index('incidents_of_key').on(t.key, t.id),
    index('incidents_by_recording').on(t.environment, t.lastRecordedAt),
    index('incidents_open').on(t.environment).where(sql`state <> 'resolved'`),
  ],
);

const incidentId = () => count().references(() => incidents.id, { onDelete: 'cascade' });

/** What of an incident's current outbreak belongs to a workflow ('': a deleted one). */
export const incidentWorkflows = pgTable(
  'incident_workflows',
  {
    incidentId: incidentId().notNull(),
    workflow: text().notNull(),
    workflowName: text(),
    failures: count().notNull(),
    events: count().notNull(),
    firstAt: time().notNull(),
    lastAt: time().notNull(),
    critical: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.incidentId, t.workflow] })],
);

export const failures = pgTable(
  'failures',
  {
    environment: text().notNull(),
    eventKey: text().notNull(),
    jobId: text().notNull(),
    detailId: text().notNull(),
    /** Ascends in the order of commits within an environment, whose row serializes them. */
    seq: count().notNull().unique().generatedAlwaysAsIdentity(),
    incidentId: count().notNull(),
    workflow: text(),
    workflowName: text(),
    verdict: text().notNull(),
    occurredAt: time().notNull(),
    eventCreatedAt: time().notNull(),
    recordedAt: time().notNull(),
    eventId: text(),
    transactionId: text().notNull(),
    subscriberId: text(),
    severity: text(),
    critical: boolean().notNull(),
    /** The keys of the topics that the event was triggered to. */
    topics: names(),
    contexts: names(),
    tags: names(),
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.eventKey, t.jobId, t.detailId] }),
    index('failures_by_time').on(t.environment, t.occurredAt),
    index('failures_by_recording').on(t.environment, t.recordedAt),
    index('failures_by_age').on(t.recordedAt),
    index('failures_of_incident').on(t.incidentId, t.seq),
    index('failures_of_incident_by_time').on(t.incidentId, t.occurredAt),
    index('failures_of_incident_by_subscriber').on(t.incidentId, t.subscriberId, t.seq),
  ],
);

export const watches = pgTable(
  'watches',
  {
    id: text().primaryKey().default(sql`gen_random_uuid()::text`),
    channel: text().notNull(),
    /** What people call it in its channel: it keeps its number, which no later watch there gets. */
    number: integer().notNull(),
    createdAt: time().notNull(),
    /** Null: NOTIF_DIGEST_CHANNEL requires it. */
    createdBy: text(),
    isConfigured: boolean().notNull().default(false),
    settings: json().$type<WatchSettings>().notNull(),
    changedBy: text(),
    /** It is told of what is recorded after this: it was made then, or covers more since. */
    tellsFrom: time().notNull(),
    endedAt: time(),
    /** A person's id, 'configuration' or 'notif', which says why. */
    endedBy: text(),
    endedWhy: text().$type<WatchEnd>(),
    /** The local day of the last daily summary, yyyy-MM-dd, and the end of its range; null: the watch's start. */
    lastSummaryDay: text(),
    summedTo: time(),
    /** The newest change that it has shown, by environment; of others ('') the newest when changes:on was set; null: changes:off. */
    changesTo: json().$type<Record<string, number>>(),
  },
  (t) => [index('watches_in_channel').on(t.channel).where(sql`ended_at IS NULL`)],
);

const watchId = () => text().references(() => watches.id, { onDelete: 'cascade' });

export const mutes = pgTable(
  'mutes',
  {
    id: text().primaryKey().default(sql`gen_random_uuid()::text`),
    watchId: watchId().notNull(),
    /** Null: the whole watch. */
    incidentId: incidentId(),
    mutedBy: text().notNull(),
    mutedAt: time().notNull(),
    until: time().notNull(),
    /** Who ended it before its time. */
    endedBy: text(),
  },
  (t) => [index('mutes_of_watch').on(t.watchId, t.until)],
);

/** Who changed what, and the outcome; no payload and no credential. */
export const audit = pgTable(
  'audit',
  {
    id: count().primaryKey().generatedAlwaysAsIdentity(),
    at: time().notNull(),
    actor: text().notNull(),
    channel: text(),
    environment: text(),
    incidentId: count(),
    change: json().$type<Change>().notNull(),
    outcome: json().$type<ChangeOutcome>().notNull(),
    /** An idempotency key; null: the change can't be submitted twice. */
    intentId: text().unique(),
  },
  (t) => [
    index('audit_by_time').on(t.at),
    index('audit_of_incident').on(t.incidentId).where(sql`incident_id IS NOT NULL`),
  ],
);

/**
 * The outbox: a message is written in the transaction that decides it, and claimed to be posted or edited. What it says is drawn from the
 * state of that moment.
 */
export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey().default(sql`gen_random_uuid()::text`),
    watchId: watchId(),
    /** Instead of the watch's channel: a person's id. */
    recipient: text(),
    kind: text().$type<Kind>().notNull(),
    /** What it is told of once: a gap's id, a day. */
    subject: text().notNull().default(sql`gen_random_uuid()::text`),
    /** '' if it isn't about a single one. */
    environment: text().notNull().default(''),
    /** The message in whose thread it is posted. */
    threadOf: text(),
    content: json().notNull().default({}),
    createdAt: time().notNull(),
    state: text({ enum: ['waiting', 'posting', 'posted', 'gone'] })
      .notNull()
      .default('waiting'),
    attempt: integer().notNull().default(0),
    /** When to try again, or to draw a posted one again; null: at once, or not at all for a posted one. */
    nextAt: time(),
    begunAt: time(),
    /** By the database's clock: the end of the claim to post or edit it. */
    leasedUntil: time(),
    /** When the first post with an unknown outcome was begun. */
    unresolvedSince: time(),
    lastRefusal: text(),
    postedAt: time(),
    ts: text(),
    /** What it shows; null: nobody knows. */
    shownHash: text(),
    drawnAt: time(),
    /** The message exists and can't be edited. */
    isFrozen: boolean().notNull().default(false),
  },
  (t) => [
    unique('messages_told_once').on(t.watchId, t.kind, t.subject),
    index('messages_to_post').on(t.createdAt).where(sql`state IN ('waiting', 'posting')`),
    index('messages_to_draw').on(t.nextAt).where(sql`state = 'posted' AND next_at IS NOT NULL`),
    index('messages_live').on(t.postedAt).where(sql`state = 'posted' AND NOT is_frozen`),
    index('messages_by_age').on(t.createdAt),
  ],
);

/** What a watch, or a person, was told of an incident; the newest counts. */
export const alerts = pgTable(
  'alerts',
  {
    messageId: text()
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    incidentId: incidentId().notNull(),
    /** Null: a direct message. */
    watchId: text(),
    reason: text().$type<Reason>().notNull(),
    at: time().notNull(),
    /** Of the incident then: its version, its newest failure, how many failures the watch covers, its relapses. */
    recorded: count().notNull(),
    seq: count().notNull(),
    matched: count().notNull(),
    relapses: integer().notNull(),
    critical: boolean().notNull(),
    /** How many failures a mute had kept from the watch. */
    missed: count(),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.incidentId] }),
    index('alerts_of_incident').on(t.incidentId, t.watchId, t.at),
    index('alerts_of_watch').on(t.watchId, t.at),
  ],
);

/** Changes in an environment: integrations, workflows, deploys. */
export const changes = pgTable(
  'changes',
  {
    id: count().primaryKey().generatedAlwaysAsIdentity(),
    environment: text().notNull(),
    /** It was made by `at`, and not before `notBefore`; null: exactly at `at`. */
    at: time().notNull(),
    notBefore: time(),
    what: json().$type<Changed>().notNull(),
  },
  (t) => [index('changes_by_time').on(t.environment, t.at)],
);

/** The rest, by name: a channel's time zone and environment, the last heartbeat, the last reading of integrations. */
export const kv = pgTable('kv', {
  key: text().primaryKey(),
  value: json().notNull(),
  expiresAt: time(),
});

/** A requested trigger: the idempotency key of its form, recorded before the request. */
export const triggers = pgTable(
  'triggers',
  {
    id: text().primaryKey(),
    environment: text().notNull(),
    actor: text().notNull(),
    workflow: text().notNull(),
    recipients: json().$type<TriggerIntent['recipients']>().notNull(),
    /** The service's result for each recipient; null: its answer was lost. */
    results: json().$type<readonly TriggerResult[]>(),
    claimedAt: time().notNull(),
    closedAt: time(),
    /** The message that shows its progress. */
    progress: json().$type<{ channel: string; ts: string }>(),
  },
  (t) => [index('triggers_by_age').on(t.claimedAt)],
);
