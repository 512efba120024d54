import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { SharedLabel } from '../judging/labels.ts';
import type { RecordedVerdict, VerdictClass } from '../judging/verdict.ts';
import {
  fromZero,
  int8,
  json,
  knownText,
  knownTime,
  NEW_CODE,
  names,
  numbered,
  referenceByNumber,
  stamp,
  type Table,
} from '../store/columns.ts';
import type { Badness } from './badness.ts';
import type { Ending, IncidentKind } from './incident.ts';
import type { IncidentState } from './state.ts';

/** One cause at one channel and provider of one environment. Incidents of verdicts that aren't tracked are never open. */
export interface IncidentRow {
  id: number;
  /** A restored backup gives its number again, with another code. */
  code: string;
  kind: IncidentKind;
  environment: string;
  channel: string;
  provider: string | null;
  isTest: boolean;
  /** 'announced', or its failures' verdict. */
  verdictClass: VerdictClass;
  /** The hash of all that makes failures one incident (`keysOf`). */
  key: string;
  causeText: string;
  causeKey: string;
  /** What the catalog says of the cause; null: nothing explains it. */
  headline: string | null;
  isRecipientFault: boolean;
  isFaultUnknown: boolean;
  /** The newest outbreak's state. */
  state: IncidentState;
  /** Since when it has its state, by our clock. */
  stateAt: Date;
  /** When a failure of it was last recorded, by our clock. */
  lastRecordedAt: Date;
  /** The first failure of all, by the service's clock. */
  firstAt: Date;
  /** The last failure of all, by the service's clock. */
  lastAt: Date;
  /** The number of the newest outbreak. */
  outbreak: number;
  /** The environment's version when anything of the incident last changed. */
  version: number;
  assignedTo: string | null;
  /** The incident that it turned out to be one with. */
  continuedAs: number | null;
}

type IncidentDefaults = 'id' | 'code' | 'kind' | 'isFaultUnknown' | 'outbreak' | 'version';

export const incidents: Table<'incidents', IncidentRow, IncidentDefaults> = pgTable(
  'incidents',
  {
    id: numbered(),
    code: knownText().default(NEW_CODE),
    kind: text().$type<IncidentKind>().notNull().default('failures'),
    environment: knownText(),
    channel: knownText(),
    provider: text(),
    isTest: boolean().notNull(),
    verdictClass: text().$type<VerdictClass>().notNull(),
    key: knownText(),
    causeText: knownText(),
    causeKey: knownText(),
    headline: text(),
    isRecipientFault: boolean().notNull(),
    isFaultUnknown: boolean().notNull().default(false),
    state: text().$type<IncidentState>().notNull(),
    stateAt: knownTime(),
    lastRecordedAt: knownTime(),
    firstAt: knownTime(),
    lastAt: knownTime(),
    outbreak: integer().notNull().default(1),
    version: fromZero(),
    assignedTo: text(),
    continuedAs: int8(),
  },
  (t) => [
    index('incidents_of_key').on(t.key, t.id),
    index('incidents_by_recording').on(t.environment, t.lastRecordedAt),
    index('incidents_by_version').on(t.environment, t.version),
    index('incidents_open').on(t.environment).where(sql`state <> 'resolved'`),
  ],
);

/** A time in which an incident failed, from its first failure to its end. Its failures are those of its range of time. */
export interface OutbreakRow {
  incidentId: number;
  /** 1 for an incident's first. */
  number: number;
  environment: string;
  /** Its range of failures, by the service's clock: from `coversFrom` on, and before `coversTo`. Null: without end. */
  coversFrom: Date | null;
  coversTo: Date | null;
  /** By the service's clock. It stays once it was published, also if an earlier failure is found. */
  beganAt: Date;
  firstFailedAt: Date;
  lastFailedAt: Date;
  /** By the service's clock: its beginning, or when it failed again. */
  firesSince: Date;
  /** The newest delivery that proved it when it last began to recover, by the service's clock. Null: nothing but calm did. */
  recoversSince: Date | null;
  isPublished: boolean;
  /** Its end, by our clock and by the service's, so that clocks that differ compare. */
  endedAt: Date | null;
  endedAtService: Date | null;
  ending: Ending | null;
  /** Who resolved it; null: it ended by itself. */
  endedBy: string | null;
  failures: number;
  subscribers: number;
  /** Some of its failures were deleted, so that people can't be counted any more. */
  isAtLeast: boolean;
  /** The failures that its end told of. */
  failuresAtEnd: number | null;
  verdicts: RecordedVerdict[];
  severities: string[];
  /** When its first critical failure was recorded, by our clock, as the times after it. */
  criticalSince: Date | null;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  unacknowledgedSince: Date | null;
  badness: Badness;
  /** The highest badness so far. */
  worst: Badness;
  /** What its failures have in common. */
  shared: SharedLabel | null;
  /** The newest gap, of time in which the service couldn't be read. */
  gapId: string | null;
  /** Its gap was closed, which the timeline says. */
  isCaughtUp: boolean;
  /** The newest change of the environment that was compared with its beginning. */
  changesTo: number;
}

export const outbreaks: Table<
  'outbreaks',
  OutbreakRow,
  | 'isCaughtUp'
  | 'changesTo'
  | 'isPublished'
  | 'failures'
  | 'subscribers'
  | 'isAtLeast'
  | 'verdicts'
  | 'severities'
  | 'badness'
  | 'worst'
> = pgTable(
  'outbreaks',
  {
    incidentId: referenceByNumber('incidents').notNull(),
    number: integer().notNull(),
    environment: knownText(),
    coversFrom: stamp(),
    coversTo: stamp(),
    beganAt: knownTime(),
    firstFailedAt: knownTime(),
    lastFailedAt: knownTime(),
    firesSince: knownTime(),
    recoversSince: stamp(),
    isPublished: boolean().notNull().default(false),
    endedAt: stamp(),
    endedAtService: stamp(),
    ending: text().$type<Ending>(),
    endedBy: text(),
    failures: fromZero(),
    subscribers: fromZero(),
    isAtLeast: boolean().notNull().default(false),
    failuresAtEnd: int8(),
    verdicts: text().array().$type<RecordedVerdict[]>().notNull().default(sql`'{}'`),
    severities: names(),
    criticalSince: stamp(),
    acknowledgedAt: stamp(),
    acknowledgedBy: text(),
    unacknowledgedSince: stamp(),
    badness: text().$type<Badness>().notNull().default('one'),
    worst: text().$type<Badness>().notNull().default('one'),
    shared: json(SharedLabel, () => null).$type<SharedLabel>(),
    gapId: text(),
    isCaughtUp: boolean().notNull().default(false),
    changesTo: fromZero(),
  },
  (t) => [
    primaryKey({ columns: [t.incidentId, t.number] }),
    index('outbreaks_by_beginning').on(t.environment, t.beganAt),
    index('outbreaks_unpublished').on(t.environment).where(sql`NOT is_published`),
    index('outbreaks_with_gap').on(t.environment).where(sql`gap_id IS NOT NULL AND NOT is_caught_up`),
    index('outbreaks_counted_late').on(t.environment).where(sql`failures_at_end <> failures`),
  ],
);

/** A workflow that failed in an outbreak: each has to be delivered again before the outbreak is over. */
export interface OutbreakWorkflowRow {
  incidentId: number;
  outbreak: number;
  /** Its identifier; '': it was deleted. */
  workflow: string;
  workflowName: string | null;
  failures: number;
  critical: boolean;
  lastFailedAt: Date;
  /** The successes that show that it works again, as counted when the incident began to recover. */
  successesNeeded: number | null;
}

export const outbreakWorkflows: Table<'outbreak_workflows', OutbreakWorkflowRow> = pgTable(
  'outbreak_workflows',
  {
    incidentId: referenceByNumber('incidents').notNull(),
    outbreak: integer().notNull(),
    workflow: knownText(),
    workflowName: text(),
    failures: int8().notNull(),
    critical: boolean().notNull(),
    lastFailedAt: knownTime(),
    successesNeeded: int8(),
  },
  (t) => [primaryKey({ columns: [t.incidentId, t.outbreak, t.workflow] })],
);

/** A sentence and code with which an incident's cause was stated: in another language, or another code of the same cause. */
export interface WordingRow {
  id: number;
  incidentId: number;
  /** The hash of the place and of the sentence without what differs from one failure to the next. */
  key: string;
  causeText: string;
  causeKey: string;
  headline: string | null;
  at: Date;
}

export const wordings: Table<'wordings', WordingRow, 'id'> = pgTable(
  'wordings',
  {
    id: numbered(),
    incidentId: referenceByNumber('incidents').notNull(),
    key: knownText(),
    causeText: knownText(),
    causeKey: knownText(),
    headline: text(),
    at: knownTime(),
  },
  (t) => [unique('wordings_of_incident').on(t.incidentId, t.key), index('wordings_of_key').on(t.key)],
);

/** An attempt that failed and counts, as the service says now. */
export interface FailureRow {
  environment: string;
  /** `eventId`, or a hash if the event has none. */
  eventKey: string;
  jobId: string;
  /** '': no provider was reached. */
  provider: string;
  seq: number;
  incidentId: number;
  /** Null: worded as the incident's first failure. */
  wordingId: number | null;
  workflow: string | null;
  workflowName: string | null;
  verdict: RecordedVerdict;
  /** When the service had last changed the event. */
  asOf: Date;
  occurredAt: Date;
  eventCreatedAt: Date;
  recordedAt: Date;
  eventId: string | null;
  transactionId: string;
  subscriberId: string | null;
  severity: string | null;
  critical: boolean;
  topics: string[];
  contexts: string[];
  tags: string[];
  /** Where it failed to reach the recipient; null: unknown, or of too few people. */
  domain: string | null;
}

export const failures: Table<'failures', FailureRow, 'seq' | 'topics' | 'contexts' | 'tags'> = pgTable(
  'failures',
  {
    environment: knownText(),
    eventKey: knownText(),
    jobId: knownText(),
    provider: knownText(),
    seq: int8().notNull().unique().generatedAlwaysAsIdentity(),
    incidentId: int8().notNull(),
    wordingId: int8(),
    workflow: text(),
    workflowName: text(),
    verdict: text().$type<RecordedVerdict>().notNull(),
    asOf: knownTime(),
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
    domain: text(),
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

/** A person who is told of an incident's turns. */
export interface FollowerRow {
  incidentId: number;
  person: string;
  /** The channel where they said so. */
  channel: string | null;
  since: Date;
}

export const followers: Table<'followers', FollowerRow> = pgTable(
  'followers',
  { incidentId: referenceByNumber('incidents').notNull(), person: knownText(), channel: text(), since: knownTime() },
  (t) => [primaryKey({ columns: [t.incidentId, t.person] })],
);
