import { eventKey, type TriggeredEvent, type Workflow } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import { judge } from '../domain/judge.ts';
import type { Logger } from '../domain/logger.ts';
import type { Call, EventQuery, Page, UnreadableItem } from '../domain/query.ts';
import { catchUpWindows, FIRST_COVERAGE_MS, type ReadingWindow } from '../domain/reading.ts';
import { nextReadAt, planRereads } from '../domain/rereading.ts';

/** How far an environment has been read. Whoever takes it gets a new `version`, which fences off the one before. */
export interface Cursor {
  readonly environment: string;
  readonly version: number;
  /** Everything created from here up to `readTo` was read. */
  readonly coveredFrom: Date;
  readonly readTo: Date;
  /** `createdAt` of the newest event read, by the service's clock. */
  readonly newestEventAt: Date | null;
}

/** An event as it was read: enough to count it once and to know when to read it again. */
export interface Sighting {
  readonly eventKey: string;
  readonly eventId: string | null;
  /** Null only where the service gives no time: the time of reading stands in for counts. */
  readonly createdAt: Date | null;
  readonly workflow: Workflow | null;
  /** When to read it again for late failures; null: never. */
  readonly nextReadAt: Date | null;
}

/** An event that is due to be read again. `reads` counts how often it was read. */
export interface DueSighting {
  readonly eventKey: string;
  readonly eventId: string | null;
  readonly createdAt: Date;
  readonly reads: number;
}

/** What one page, or one event read again, adds to what is known. */
export interface Reading {
  readonly sightings: readonly Sighting[];
  readonly failures: readonly Failure[];
  readonly unreadable: readonly UnreadableItem[];
  /** Set after the last page of a window: all of it has been read. */
  readonly completed?: ReadingWindow;
}

export interface Recorded {
  readonly newEvents: number;
  readonly newFailures: number;
}

export interface ReadingStore {
  /** The environment's cursor, made with `coveredFrom = readTo = first` where there is none, with its version raised by one. */
  takeCursor(environment: string, first: Date): Promise<Cursor>;
  /**
   * Sightings, event counts, failures, groups and the cursor, in one transaction. Events and failures that are known already
   * are not counted again. Where the completed window begins after what was read before, the coverage begins anew with it. Throws `FencedOffError`, and writes nothing, when the cursor was taken by somebody else since.
   */
  record(cursor: Cursor, reading: Reading, now: Date): Promise<Recorded>;
  /** The events due by `now`, those due for longest first. */
  dueSightings(environment: string, now: Date, limit: number): Promise<DueSighting[]>;
  /** Puts off, or with null ends, the reading again of events that could not be found. */
  postpone(cursor: Cursor, eventKeys: readonly string[], until: Date | null): Promise<void>;
}

export interface EventReader {
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
}

export interface ReadNewEventsParts {
  readonly service: EventReader;
  readonly store: ReadingStore;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly horizonMs: number;
  /** Stops the reading between two pages: what is recorded stays, the next round goes on from there. */
  readonly signal: AbortSignal;
}

export interface ReadingReport extends Recorded {
  readonly unreadable: number;
  readonly readTo: Date;
  readonly caughtUp: boolean;
}

/** At most this many events are read again in a round, so that late failures never hold up new ones. */
const REREADS_A_ROUND = 500;

/**
 * Reads what is new in an environment since its cursor, then what was not final yet, and records it page by page. Throws the
 * client's `ServiceError` when the service can't be read: the cursor then stands where the last full window ended.
 */
export async function readNewEvents(environment: string, parts: ReadNewEventsParts): Promise<ReadingReport> {
  const started = parts.now();
  const cursor = await parts.store.takeCursor(environment, new Date(started.getTime() - FIRST_COVERAGE_MS));
  const sum = { newEvents: 0, newFailures: 0, unreadable: 0 };
  let readTo = cursor.readTo;
  for (const window of catchUpWindows(cursor, started, parts.horizonMs)) {
    if (!(await readWindow(cursor, window, parts, sum))) return { ...sum, readTo, caughtUp: false };
    readTo = window.to;
  }
  const caughtUp = await readAgain(cursor, parts, sum);
  return { ...sum, readTo, caughtUp };
}

type Sum = { newEvents: number; newFailures: number; unreadable: number };

async function readWindow(
  cursor: Cursor,
  window: ReadingWindow,
  parts: ReadNewEventsParts,
  sum: Sum,
): Promise<boolean> {
  const query = { after: window.from, before: window.to, limit: 50 };
  for await (const page of parts.service.eventPages(query, { who: 'poller', signal: parts.signal })) {
    await recordEvents(cursor, page.items, page.unreadable, parts, sum);
    if (parts.signal.aborted) return false;
  }
  await parts.store.record(cursor, { sightings: [], failures: [], unreadable: [], completed: window }, parts.now());
  return true;
}

async function readAgain(cursor: Cursor, parts: ReadNewEventsParts, sum: Sum): Promise<boolean> {
  const due = await parts.store.dueSightings(cursor.environment, parts.now(), REREADS_A_ROUND);
  const call: Call = { who: 'poller', signal: parts.signal };
  for (const read of planRereads(due)) {
    if (parts.signal.aborted) return false;
    const wanted = new Map(read.events.map((event) => [event.eventKey, event]));
    if (read.by === 'id') {
      const event = await parts.service.retrieveEvent(read.id, call);
      if (event !== null) await recordDue([event]);
    } else {
      for await (const page of parts.service.eventPages({ after: read.from, before: read.to, limit: 50 }, call)) {
        await recordDue(page.items);
        if (parts.signal.aborted) return false;
      }
    }
    // What the service no longer has will not fail any more.
    if (wanted.size > 0) await parts.store.postpone(cursor, [...wanted.keys()], null);

    async function recordDue(events: readonly TriggeredEvent[]): Promise<void> {
      const found = events.filter((event) => wanted.has(eventKey(event)));
      await recordEvents(cursor, found, [], parts, sum, wanted);
      for (const event of found) wanted.delete(eventKey(event));
    }
  }
  return due.length < REREADS_A_ROUND;
}

async function recordEvents(
  cursor: Cursor,
  events: readonly TriggeredEvent[],
  unreadable: readonly UnreadableItem[],
  parts: ReadNewEventsParts,
  sum: Sum,
  due: ReadonlyMap<string, DueSighting> = new Map(),
): Promise<void> {
  const now = parts.now();
  const sightings: Sighting[] = [];
  const failures: Failure[] = [];
  for (const event of events) {
    const judgement = judge(event, now);
    failures.push(...judgement.failures);
    const reads = (due.get(eventKey(event))?.reads ?? 0) + 1;
    sightings.push({
      eventKey: eventKey(event),
      eventId: event.id,
      createdAt: event.createdAt,
      workflow: event.workflow,
      nextReadAt: nextReadAt(event, judgement.isSettled, reads, now, parts.horizonMs),
    });
  }
  const recorded = await parts.store.record(cursor, { sightings, failures, unreadable }, now);
  sum.newEvents += recorded.newEvents;
  sum.newFailures += recorded.newFailures;
  sum.unreadable += unreadable.length;
}
