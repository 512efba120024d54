import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { ServiceProblem } from '../lib/errors.ts';
import { fromZero, int8, json, knownText, knownTime, NEW_ID, parsed, stamp } from '../store/columns.ts';
import type { ReadTo } from './environments.ts';
import { type GapCause, GapWindows, TimeRanges } from './gap.ts';

const gapWindows = parsed((stored) => GapWindows.parse(stored));
const timeRanges = parsed((stored) => TimeRanges.parse(stored));
const readTo = parsed((stored): ReadTo => {
  return new Map(Object.entries(stored as object).map(([age, time]) => [Number(age), new Date(time)]));
});

export const environments = pgTable('environments', {
  environment: text().primaryKey(),
  coveredFrom: knownTime(),
  checkedTo: knownTime(), // by the service's clock
  readAhead: timeRanges().notNull().default([]), // what was read after `checkedTo`, before what lies between
  readTo: readTo().notNull().default(new Map()),
  lastPollAt: stamp(),
  lastSuccessAt: stamp(),
  failingSince: stamp(),
  problem: json().$type<ServiceProblem>(),
  announcedAt: stamp(),
  version: fromZero('news'), // grows when there's more to announce
  announcedVersion: fromZero('announced_news'),
  behindMs: fromZero(),
  pastFailingSince: stamp(),
  clockAheadMs: int8(), // null: its answers don't say
  lagMs: int8(), // with the next two: `lag.ts`
  lagAt: stamp(),
  tooSlowSince: stamp(),
});

export const gaps = pgTable(
  'gaps',
  {
    id: text().primaryKey().default(NEW_ID),
    environment: knownText(),
    from: stamp('begins_at').notNull(),
    to: stamp('ends_at'), // null while it continues
    cause: text().$type<GapCause>().notNull(),
    openedAt: knownTime(),
    closedAt: stamp(),
    windows: gapWindows('unchecked').notNull().default([]),
    events: fromZero(),
    failures: fromZero(),
  },
  (t) => [
    index('gaps_open').on(t.environment).where(sql`closed_at IS NULL`),
    index('gaps_by_time').on(t.environment, t.from),
  ],
);

export const eventCounts = pgTable(
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

export const successCounts = pgTable(
  'success_counts',
  {
    environment: knownText(),
    workflow: knownText(),
    channel: knownText(),
    provider: knownText(),
    minute: knownTime(), // of the delivery
    created: knownTime(), // of its event
    successes: integer().notNull(),
    lastAt: knownTime(),
    latencies: json().$type<Record<number, number>>().notNull().default({}), // by bucket (`minutes.ts`)
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.channel, t.provider, t.workflow, t.minute, t.created] }),
    index('success_counts_by_creation').on(t.environment, t.created),
  ],
);
