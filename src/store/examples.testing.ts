import { addMilliseconds } from 'date-fns';
import type { Failure } from '../domain/failures/failure.ts';
import { aWorkflow } from '../domain/service/event.testing.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import type { Cursor, Reading, SetAside, TrackedEvent } from '../use-cases/polling/record-events.ts';
import type { Store } from './store.ts';

export const NOON = new Date('2026-05-04T12:00:00.000Z');

/** Returns the time this many minutes after noon. */
export function at(minutes: number): Date {
  return addMilliseconds(NOON, minutes * 60_000);
}

export const ALL_TIME: TimeRange = { from: at(-1e6), to: at(1e6) };

/** An email that failed at noon. */
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
    detailId: 'detail-1',
    channel: 'email',
    provider: 'sendgrid',
    cause: { text: 'Provider refused the request', key: 'provider refused the request' },
    verdict: 'failed',
    isTest: false,
    severity: 'high',
    critical: false,
    contexts: [],
    tags: [],
    topics: [],
    occurredAt: NOON,
    eventCreatedAt: NOON,
    ...changes,
  };
}

/** Returns a failure with its own cause and therefore its own group. */
export function failureOf(cause: string, changes: Partial<Failure> = {}): Failure {
  return failure({ eventKey: `event-${cause}`, cause: { text: cause, key: cause }, ...changes });
}

export function trackedEvent(changes: Partial<TrackedEvent> = {}): TrackedEvent {
  return {
    eventKey: 'event-1',
    eventId: 'event-1',
    createdAt: NOON,
    workflow: aWorkflow({
      id: 'workflow-1',
      identifier: 'order-shipped',
      name: 'Order shipped',
      variables: ['orderId'],
    }),
    nextReadAt: null,
    isPartial: false,
    delivered: [],
    ...changes,
  };
}

export function reading(changes: Partial<Reading> = {}): Reading {
  return { trackedEvents: [], failures: [], successes: [], unreadable: [], ...changes };
}

export function takeCursor(store: Store): Promise<Cursor> {
  return store.polling.takeCursor('production', at(-60));
}

/** Records failures like a poll at `now`, which reads until then. */
export async function recordFailures(store: Store, now: Date, failures: readonly Failure[]): Promise<void> {
  const trackedEvents = failures.map(({ eventKey }) => trackedEvent({ eventKey, eventId: eventKey, createdAt: now }));
  await store.polling.record(await takeCursor(store), reading({ trackedEvents, failures }), now);
  await checkedTo(store, now);
}

/** Ends a poll that has read until then, except what is set aside. */
export async function checkedTo(store: Store, to: Date, ...setAside: SetAside[]): Promise<void> {
  await store.polling.finishPresent(
    await takeCursor(store),
    { to, setAside, clockAheadMs: null, newestEventAt: null },
    to,
  );
}

/** Returns a time range that was not read because the service was unreachable. */
export function stretch(from: Date, to: Date, changes: Partial<SetAside> = {}): SetAside {
  const parts = [{ window: { from, to }, tries: 0, nextTryAt: to }];
  return { from, to, cause: 'unreachable', problem: { kind: 'unreachable' }, parts, ...changes };
}
