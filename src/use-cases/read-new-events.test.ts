import { describe, expect, test } from 'vitest';
import { FencedOffError, ServiceError } from '../domain/errors.ts';
import { aDetail, aFailedEvent, aJob, anEvent, at, NOON } from '../domain/event.testing.ts';
import { eventKey, type TriggeredEvent } from '../domain/event.ts';
import type { EventQuery, Page } from '../domain/query.ts';
import { readNewEvents } from './read-new-events.ts';
import type { Cursor, DueSighting, Reading, ReadingStore } from './record-events.ts';

const HORIZON = 72 * 3_600_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A list of events as the service gives it: newest first, `after` and `before` inclusive, pages of `limit`. */
class ListedEvents {
  readonly queries: EventQuery[] = [];
  readonly retrieved: string[] = [];
  failing: ServiceError | null = null;

  events: TriggeredEvent[];

  constructor(events: TriggeredEvent[]) {
    this.events = events;
  }

  async retrieveEvent(id: string) {
    this.retrieved.push(id);
    return this.events.find((event) => event.id === id) ?? null;
  }

  async *eventPages(query: EventQuery & { readonly before: Date }): AsyncGenerator<Page<TriggeredEvent>> {
    this.queries.push(query);
    const listed = this.events
      .filter((event) => isWithin(event, query))
      .sort((a, b) => (b.createdAt?.getTime() ?? 0) - (a.createdAt?.getTime() ?? 0));
    for (let first = 0; first === 0 || first < listed.length; first += 50) {
      if (this.failing) throw this.failing;
      yield { items: listed.slice(first, first + 50), unreadable: [], hasMore: first + 50 < listed.length };
    }
  }
}

function isWithin(event: TriggeredEvent, { after, before }: EventQuery): boolean {
  const created = event.createdAt?.getTime() ?? 0;
  return created >= (after?.getTime() ?? 0) && created <= (before?.getTime() ?? 0);
}

/** What the store keeps, in memory: enough to see what was written, and when. */
class RememberedReadings implements ReadingStore {
  cursor: Cursor | null = null;
  readonly due = new Map<string, DueSighting & { nextReadAt: Date | null }>();
  readonly failures = new Set<string>();
  readonly readings: Reading[] = [];

  async takeCursor(environment: string, first: Date) {
    const version = (this.cursor?.version ?? 0) + 1;
    this.cursor = this.cursor
      ? { ...this.cursor, version }
      : { environment, version, coveredFrom: first, readTo: first, newestEventAt: null };
    return this.cursor;
  }

  async record(cursor: Cursor, reading: Reading) {
    if (cursor.version !== this.cursor?.version) throw new FencedOffError(cursor.environment);
    this.readings.push(reading);
    let newEvents = 0;
    for (const { eventKey: key, eventId, createdAt, nextReadAt } of reading.sightings) {
      const known = this.due.get(key);
      if (!known) newEvents += 1;
      this.due.set(key, {
        eventKey: key,
        eventId,
        createdAt: createdAt ?? NOON,
        reads: (known?.reads ?? 0) + 1,
        nextReadAt,
      });
    }
    const before = this.failures.size;
    for (const failure of reading.failures) this.failures.add(`${failure.eventKey}/${failure.detailId}`);
    if (reading.completed) this.cursor = { ...this.cursor, readTo: reading.completed.to };
    return { newEvents, newFailures: this.failures.size - before };
  }

  async dueSightings(_: string, now: Date, limit: number) {
    return [...this.due.values()].filter(({ nextReadAt }) => nextReadAt !== null && nextReadAt <= now).slice(0, limit);
  }

  async postpone(_: Cursor, keys: readonly string[], until: Date | null) {
    for (const key of keys) {
      const known = this.due.get(key);
      if (known) this.due.set(key, { ...known, nextReadAt: until });
    }
  }
}

function reading(events: TriggeredEvent[]) {
  const service = new ListedEvents(events);
  const store = new RememberedReadings();
  const stop = new AbortController();
  const round = (now: Date) =>
    readNewEvents('production', {
      service,
      store,
      logger: silent,
      now: () => now,
      horizonMs: HORIZON,
      signal: stop.signal,
    });
  return { service, store, stop, round };
}

describe('a round of reading', () => {
  test('covers the last hour at first start', async () => {
    const { store, round } = reading([
      aFailedEvent({ id: 'old', createdAt: at(-3700) }),
      aFailedEvent({ id: 'young', createdAt: at(-1800) }),
    ]);
    expect(await round(NOON)).toMatchObject({ newEvents: 1, newFailures: 1, readTo: NOON, caughtUp: true });
    expect(store.cursor).toMatchObject({ coveredFrom: at(-3600), readTo: NOON });
  });

  test('counts an event that the next window overlaps once', async () => {
    const { round } = reading([aFailedEvent({ createdAt: at(-5) })]);
    expect(await round(NOON)).toMatchObject({ newEvents: 1, newFailures: 1 });
    expect(await round(at(60))).toMatchObject({ newEvents: 0, newFailures: 0 });
  });

  test('finds an event that shows up in the list after younger ones', async () => {
    const { service, round } = reading([anEvent({ id: 'a', createdAt: at(-1) })]);
    await round(NOON);
    service.events.push(aFailedEvent({ id: 'late', createdAt: at(-30) }));
    expect(await round(at(60))).toMatchObject({ newEvents: 1, newFailures: 1 });
  });

  test('reads an unsettled event again until its failure shows', async () => {
    const { service, store, round } = reading([
      anEvent({ id: 'e', createdAt: at(-5), jobs: [aJob({ status: 'queued' })] }),
    ]);
    await round(NOON);
    service.events = [aFailedEvent({ id: 'e', createdAt: at(-5) })];
    await round(at(600));
    expect(store.failures.size).toBe(1);
  });

  test('finds the bounce of an event that was settled hours ago', async () => {
    const { service, round } = reading([anEvent({ id: 'e' })]);
    await round(at(1));
    service.events = [anEvent({ id: 'e', jobs: [aJob({ details: [aDetail({ source: 'Webhook' })] })] })];
    expect(await round(at(3600))).toMatchObject({ newFailures: 1 });
  });

  test('stops asking for an event that the service no longer has', async () => {
    const { service, round } = reading([anEvent({ id: 'e' })]);
    await round(at(1));
    service.events = [];
    await round(at(3600));
    await round(at(7200));
    expect(service.retrieved).toEqual(['e']);
  });

  test('lets an event that the service can not answer for hold up no other', async () => {
    const { service, store, round } = reading([anEvent({ id: 'odd', createdAt: at(-300) }), anEvent({ id: 'e' })]);
    await round(at(1));
    const retrieve = service.retrieveEvent.bind(service);
    service.retrieveEvent = async (id) => {
      if (id !== 'odd') return retrieve(id);
      throw new ServiceError('production', 'retrieveEvent', { kind: 'service-error', status: 500, errorId: null });
    };
    service.events = [anEvent({ id: 'e', jobs: [aJob({ details: [aDetail({ source: 'Webhook' })] })] })];
    expect(await round(at(3600))).toMatchObject({ newFailures: 1 });
    expect(store.due.get('odd')?.nextReadAt).toEqual(at(3900));
  });

  test('keeps what it read, and where it stands, when the service fails in between', async () => {
    const { service, store, round } = reading([aFailedEvent({ createdAt: at(-5) })]);
    await round(NOON);
    service.failing = new ServiceError('production', 'listEvents', { kind: 'unreachable' });
    await expect(round(at(60))).rejects.toThrow(ServiceError);
    expect(store.cursor?.readTo).toEqual(NOON);
    service.failing = null;
    expect(await round(at(120))).toMatchObject({ readTo: at(120) });
  });

  test('catches up after a long absence, window by window', async () => {
    const events = Array.from({ length: 120 }, (_, i) => aFailedEvent({ id: `e${i}`, createdAt: at(i * 60) }));
    const { store, round } = reading(events);
    await round(NOON);
    await round(at(7200));
    expect(store.failures.size).toBe(120);
  });

  test('stops between two pages when it is told to, and goes on from there in the next round', async () => {
    const events = Array.from({ length: 120 }, (_, i) => aFailedEvent({ id: `e${i}`, createdAt: at(i - 3600) }));
    const { stop, store, round } = reading(events);
    stop.abort();
    expect(await round(NOON)).toMatchObject({ caughtUp: false });
    expect(store.failures.size).toBe(50);
    expect(store.cursor?.readTo).toEqual(at(-3600));
  });

  test('writes nothing more once another reader took over', async () => {
    const { service, store, round } = reading([aFailedEvent()]);
    const pages = service.eventPages.bind(service);
    service.eventPages = async function* (query) {
      await store.takeCursor('production', NOON);
      yield* pages(query);
    };
    await expect(round(at(1))).rejects.toThrow(FencedOffError);
    expect(store.failures.size).toBe(0);
  });

  test('names an event without an id by its transaction, subscriber and time', async () => {
    const event = anEvent({ id: null });
    const { store, round } = reading([event]);
    await round(at(1));
    expect([...store.due.keys()]).toEqual([eventKey(event)]);
  });
});
