import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { TimeRange } from '../lib/time/durations.ts';
import { ServiceProblem } from '../service/service-error.ts';
import {
  fromZero,
  int8,
  json,
  knownText,
  knownTime,
  NEW_ID,
  names,
  StoredTime,
  stamp,
  type Table,
} from '../store/columns.ts';
import { type GapCause, type GapWindow, GapWindows } from './gap.ts';

/** Maps a pass's age to the service's time that it has read to. */
export type ReadTo = ReadonlyMap<number, Date>;

/** A key of `ReadTo` that says: something was left out that can't be read. */
export const LEFT_OUT = -1;

const Age = z.string().regex(/^\d+$/);

export const ReadTo = z
  .record(Age, StoredTime)
  .transform((times): ReadTo => new Map(Object.entries(times).map(([age, time]) => [Number(age), time])));

/** Returns the passes that can be read, and `LEFT_OUT`. */
function readableReadTo(stored: unknown): ReadTo {
  const entries = Object.entries(Object(stored)).flatMap((entry) => {
    const read = ReadTo.safeParse(Object.fromEntries([entry]));
    return read.success ? [...read.data] : [];
  });
  return new Map([...entries, [LEFT_OUT, new Date(0)]]);
}

/** Counts by bucket (`latencyBucketOf`). */
export const Latencies = z.record(z.string().regex(/^\d+$/), z.number());

/** Counts by domain. */
export const Domains = z.record(z.string(), z.number());

export const ReadAhead = z.array(z.object({ from: StoredTime, to: StoredTime }));

/** How far an environment's events were checked, and how its service answers. */
export interface EnvironmentRow {
  environment: string;
  /** The service's ID of it; null: no event has shown it yet. */
  serviceEnvironmentId: string | null;
  /** The first poll began to read here. This and the next three are by the service's clock. */
  coveredFrom: Date;
  /** All before this was read. */
  checkedTo: Date;
  /** What was read after `checkedTo`, before what lies between. */
  readAhead: TimeRange[];
  readTo: ReadTo;
  lastPollAt: Date | null;
  lastSuccessAt: Date | null;
  failingSince: Date | null;
  problem: ServiceProblem | null;
  announcedAt: Date | null;
  /** Grows when there's more to announce. */
  version: number;
  announcedVersion: number;
  /** By how much the pass that is most late is too late. */
  behindMs: number;
  pastFailingSince: Date | null;
  /** How far the service's clock is ahead of ours; null: its answers don't say. */
  clockAheadMs: number | null;
  /** This and the next two are a `Lag`. */
  lagMs: number | null;
  lagAt: Date | null;
  tooSlowSince: Date | null;
  /** Domains that failures and counts are stored with: each is of several people. */
  domains: string[];
}

type EnvironmentDefaults = 'readAhead' | 'readTo' | 'version' | 'announcedVersion' | 'behindMs' | 'domains';

export const environments: Table<'environments', EnvironmentRow, EnvironmentDefaults> = pgTable('environments', {
  environment: text().primaryKey(),
  serviceEnvironmentId: text(),
  coveredFrom: knownTime(),
  checkedTo: knownTime(),
  readAhead: json(ReadAhead, () => [])
    .notNull()
    .default([]),
  readTo: json(ReadTo, readableReadTo).notNull().default(new Map()),
  lastPollAt: stamp(),
  lastSuccessAt: stamp(),
  failingSince: stamp(),
  problem: json(ServiceProblem, () => null).$type<ServiceProblem>(),
  announcedAt: stamp(),
  version: fromZero(),
  announcedVersion: fromZero(),
  behindMs: fromZero(),
  pastFailingSince: stamp(),
  clockAheadMs: int8(),
  lagMs: int8(),
  lagAt: stamp(),
  tooSlowSince: stamp(),
  domains: names(),
});

/** An event with a step that waits beyond the horizon, and so is over only when no list is read for it any more. */
export interface WaitingEventRow {
  environment: string;
  eventId: string;
  /** When its wait is over, by the service's clock. */
  dueAt: Date;
  readAt: Date;
}

export const waitingEvents: Table<'waiting_events', WaitingEventRow> = pgTable(
  'waiting_events',
  { environment: knownText(), eventId: knownText(), dueAt: knownTime(), readAt: knownTime() },
  (t) => [primaryKey({ columns: [t.environment, t.eventId] }), index('waiting_events_due').on(t.environment, t.readAt)],
);

/** A time that couldn't be checked. */
export interface GapRow {
  id: string;
  environment: string;
  beginsAt: Date;
  /** Null while it continues. */
  endsAt: Date | null;
  cause: GapCause;
  openedAt: Date;
  closedAt: Date | null;
  /** What is still to be read, or was given up; null: it isn't known, as the stored value is damaged. */
  unchecked: GapWindow[] | null;
  /** Events and failures that were found in it. */
  events: number;
  failures: number;
}

export const gaps: Table<'gaps', GapRow, 'id' | 'unchecked' | 'events' | 'failures', 'unchecked'> = pgTable(
  'gaps',
  {
    id: text().primaryKey().default(NEW_ID),
    environment: knownText(),
    beginsAt: knownTime(),
    endsAt: stamp(),
    cause: text().$type<GapCause>().notNull(),
    openedAt: knownTime(),
    closedAt: stamp(),
    unchecked: json(GapWindows, () => null)
      .notNull()
      .default([]),
    events: fromZero(),
    failures: fromZero(),
  },
  (t) => [
    index('gaps_open').on(t.environment).where(sql`closed_at IS NULL`),
    index('gaps_by_time').on(t.environment, t.beginsAt),
  ],
);

export interface EventCountRow {
  environment: string;
  workflow: string;
  minute: Date;
  events: number;
  unreadable: number;
}

export const eventCounts: Table<'event_counts', EventCountRow> = pgTable(
  'event_counts',
  {
    environment: knownText(),
    workflow: knownText(),
    minute: knownTime(),
    events: integer().notNull(),
    unreadable: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.workflow, t.minute] }),
    index('event_counts_by_minute').on(t.environment, t.minute),
  ],
);

export interface SuccessCountRow {
  environment: string;
  workflow: string;
  channel: string;
  provider: string;
  /** When it was delivered. */
  minute: Date;
  /** The minute in which its event was created. */
  created: Date;
  successes: number;
  lastAt: Date;
  latencies: z.output<typeof Latencies> | null;
  /** Successes by domain; null: none has one that is stored. */
  domains: z.output<typeof Domains> | null;
}

export const successCounts: Table<'success_counts', SuccessCountRow, 'latencies', 'latencies'> = pgTable(
  'success_counts',
  {
    environment: knownText(),
    workflow: knownText(),
    channel: knownText(),
    provider: knownText(),
    minute: knownTime(),
    created: knownTime(),
    successes: integer().notNull(),
    lastAt: knownTime(),
    latencies: json(Latencies, () => null)
      .notNull()
      .default({}),
    domains: json(Domains, () => null).$type<z.output<typeof Domains>>(),
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.channel, t.provider, t.workflow, t.minute, t.created] }),
    index('success_counts_by_creation').on(t.environment, t.created),
  ],
);
