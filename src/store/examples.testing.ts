import { addMilliseconds } from 'date-fns';
import { eq, sql } from 'drizzle-orm';
import { explainCause } from '../causes/explain-cause.ts';
import { noteDeploy, type ReportedDeploy } from '../changes/changes.ts';
import { openEnvironment } from '../coverage/environments.ts';
import { endGaps, type NewGap, openGap } from '../coverage/gaps.ts';
import { MinuteCounts } from '../coverage/minute-counts.ts';
import { addToMinutes } from '../coverage/minutes.ts';
import { environments } from '../coverage/tables.ts';
import type { EventReading } from '../incidents/reconcile.ts';
import type { Failure } from '../judging/failure.ts';
import type { Delivered } from '../judging/judge.ts';
import { silent } from '../lib/logger.testing.ts';
import { storableTyped } from '../lib/text/shown-id.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { noteSuccess } from '../polling/poll.ts';
import { recordFindings } from '../polling/record-slice.ts';
import { anEvent } from '../service/event.testing.ts';
import type { Workflow } from '../service/lists.ts';
import type { UnreadableItem } from '../service/query.ts';
import type { OpenDb } from './open.ts';

export const NOON = new Date('2026-05-04T12:00:00.000Z');

export const at = (minutes: number): Date => addMilliseconds(NOON, minutes * 60_000);

export const ALL_TIME: TimeRange = { from: at(-1e6), to: at(1e6) };
export const ALL_CHECKED = { range: ALL_TIME, coverage: ALL_TIME };

export function failure(changes: Partial<Failure> = {}): Failure {
  const eventKey = changes.eventKey ?? 'event-1';
  return {
    eventKey,
    eventId: eventKey,
    transactionId: `transaction-of-${eventKey}`,
    subscriberId: `subscriber-of-${eventKey}`,
    workflow: 'order-shipped',
    workflowName: 'Order shipped',
    jobId: 'job-1',
    channel: 'email',
    provider: 'sendgrid',
    cause: { text: 'Provider refused the request', key: 'provider refused the request' },
    verdict: 'failed',
    isUnexplained: false,
    isTest: false,
    severity: 'high',
    critical: false,
    contexts: [],
    tags: [],
    topics: [],
    domain: null,
    occurredAt: NOON,
    eventCreatedAt: NOON,
    ...changes,
  };
}

export function failureOf(cause: string, changes: Partial<Failure> = {}): Failure {
  return failure({ eventKey: `event-${cause}`, cause: { text: cause, key: cause }, ...changes });
}

interface TrackedEvent {
  eventKey: string;
  createdAt: Date | null;
  workflow: Workflow | null;
  critical: boolean;
  delivered: readonly Delivered[];
}

export function trackedEvent(changes: Partial<TrackedEvent> = {}): TrackedEvent {
  return {
    eventKey: 'event-1',
    createdAt: NOON,
    workflow: { id: 'workflow-1', identifier: 'order-shipped', name: 'Order shipped', variables: ['orderId'] },
    critical: false,
    delivered: [],
    ...changes,
  };
}

interface Reading {
  trackedEvents: readonly TrackedEvent[];
  failures: readonly Failure[];
  unreadable: readonly UnreadableItem[];
}

export function reading(changes: Partial<Reading> = {}): Reading {
  return { trackedEvents: [], failures: [], unreadable: [], ...changes };
}

/** Returns readings that each add to what is stored of their event. */
export function readingsOf(failures: readonly Failure[]): EventReading[] {
  const keys = [...new Set(failures.map(({ eventKey }) => eventKey))];
  const ofEvent = (key: string) => failures.filter(({ eventKey }) => eventKey === key);
  return keys.map((eventKey) => ({ eventKey, asOf: NOON, isWhole: false, failures: ofEvent(eventKey) }));
}

export async function openedEnvironment(store: OpenDb, environment = 'production', first = at(-60)): Promise<string> {
  await openEnvironment(store.db, environment, first);
  return environment;
}

export async function record(store: OpenDb, environment: string, page: Reading, now: Date): Promise<void> {
  const { failures, trackedEvents, unreadable } = page;
  const counts = new MinuteCounts({ from: now, to: now });
  for (const { eventKey, createdAt, workflow, delivered } of trackedEvents)
    counts.addEvent(anEvent({ id: eventKey, createdAt, workflow }), delivered, now);
  for (const item of unreadable) counts.addUnreadable(item);
  const found = { readings: readingsOf(failures), workflows: trackedEvents.flatMap(workflowOf), waiting: [] };
  await store.db.transaction(async (tx) => {
    await recordFindings(tx, environment, found, { now, explainCause });
    await addToMinutes(tx, environment, ALL_TIME, counts);
  });
}

function workflowOf({ workflow, createdAt, critical }: TrackedEvent) {
  return workflow === null ? [] : [{ workflow, createdAt, critical, isDeleted: false }];
}

interface PresentRead {
  to: Date;
  gaps: readonly NewGap[];
  clockAheadMs: number | null;
}

export async function finishPresent(
  store: OpenDb,
  environment: string,
  present: PresentRead,
  now: Date,
): Promise<void> {
  const { to, gaps, clockAheadMs } = present;
  await store.db.transaction(async (tx) => {
    await tx.write(sql`
      UPDATE environments
      SET checked_to = GREATEST(checked_to, ${to})
      WHERE environment = ${environment}`);
    await noteSuccess(tx, environment, clockAheadMs, now);
    for (const gap of gaps) await openGap(tx, environment, gap, now);
    await endGaps(tx, environment, { end: to, added: { newEvents: 0, newFailures: 0, newUnreadable: 0 } }, now);
  });
}

export async function recordFailures(store: OpenDb, now: Date, failures: readonly Failure[]): Promise<void> {
  const trackedEvents = failures.map(({ eventKey }) => trackedEvent({ eventKey, createdAt: now }));
  await record(store, await openedEnvironment(store), reading({ trackedEvents, failures }), now);
  await checkedTo(store, now);
}

export async function checkedTo(store: OpenDb, to: Date, ...gaps: NewGap[]): Promise<void> {
  const environment = await openedEnvironment(store);
  await finishPresent(store, environment, { to, gaps, clockAheadMs: null }, to);
}

export function stretch(from: Date, to: Date, changes: Partial<NewGap> = {}): NewGap {
  const windows = [{ from, to, tries: 0, nextTryAt: to }];
  return { from, to, cause: 'unreachable', windows, ...changes };
}

export function reportDeploy(
  store: OpenDb,
  { name, ...report }: Omit<ReportedDeploy, 'name'> & { name: string },
  now: Date,
): Promise<boolean> {
  const db = store.db;
  const deploy = { ...report, name: storableTyped(name) };
  return noteDeploy({ db, logger: silent, now: () => now, wakeAnnouncing: async () => {} }, deploy);
}

/** Makes `range` the time of 'production' that has been checked. If it is null, nothing has been. */
export async function covered(
  store: OpenDb,
  range: TimeRange | null,
  clockAheadMs: number | null = null,
): Promise<void> {
  const { from, to } = range ?? { from: NOON, to: NOON };
  const covered = { coveredFrom: from, checkedTo: to, lastSuccessAt: to, clockAheadMs };
  await store.db
    .update(environments)
    .set(covered)
    .where(eq(environments.environment, await openedEnvironment(store)));
}
