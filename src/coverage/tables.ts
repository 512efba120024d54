import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { ServiceProblem } from '../lib/errors.ts';
import { fromZero, int8, json, knownText, knownTime, NEW_ID, StoredTime, stamp } from '../store/columns.ts';
import { type GapCause, GapWindows } from './gap.ts';
import { ReadTo, readableReadTo } from './read-to.ts';

/** By bucket (`minutes.ts`). */
export const Latencies = z.record(z.string().regex(/^\d+$/), z.number());

export const ReadAhead = z.array(z.object({ from: StoredTime, to: StoredTime }));

export const environments = pgTable('environments', {
  environment: text().primaryKey(),
  coveredFrom: knownTime(),
  checkedTo: knownTime(), // by the service's clock
  readAhead: json(ReadAhead, () => [])
    .notNull()
    .default([]), // what was read after `checkedTo`, before what lies between
  readTo: json(ReadTo, readableReadTo).notNull().default(new Map()),
  lastPollAt: stamp(),
  lastSuccessAt: stamp(),
  failingSince: stamp(),
  problem: json(ServiceProblem, () => null),
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
    windows: json(GapWindows, () => null, 'unchecked')
      .notNull()
      .default([]),
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
    latencies: json(Latencies, () => null)
      .notNull()
      .default({}),
  },
  (t) => [
    primaryKey({ columns: [t.environment, t.channel, t.provider, t.workflow, t.minute, t.created] }),
    index('success_counts_by_creation').on(t.environment, t.created),
  ],
);
