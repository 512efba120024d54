import { eventKey, type TriggeredEvent, type Workflow } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import { judge } from '../domain/judge.ts';
import type { Logger } from '../domain/logger.ts';
import type { Call, EventQuery, Page, UnreadableItem } from '../domain/query.ts';
import type { ReadingWindow, Success } from '../domain/reading.ts';
import { nextReadAt } from '../domain/rereading.ts';

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
  /** Deliveries that succeeded: a group of the same workflow, channel and provider that fails no more has recovered. */
  readonly successes: readonly Success[];
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

export interface ReadingParts {
  readonly service: EventReader;
  readonly store: ReadingStore;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly horizonMs: number;
  /** Stops the reading between two pages: what is recorded stays, the next round goes on from there. */
  readonly signal: AbortSignal;
}

/** What a round has recorded so far. */
export type Sum = { newEvents: number; newFailures: number; unreadable: number };

/** Records what was read, and what it shows of failures; `reads` says how often an event was read before. */
export async function recordEvents(
  cursor: Cursor,
  events: readonly TriggeredEvent[],
  unreadable: readonly UnreadableItem[],
  parts: ReadingParts,
  sum: Sum,
  readsBefore: (eventKey: string) => number = () => 0,
): Promise<void> {
  const now = parts.now();
  const sightings: Sighting[] = [];
  const failures: Failure[] = [];
  for (const event of events) {
    const judgement = judge(event, now);
    failures.push(...judgement.failures);
    const reads = readsBefore(eventKey(event)) + 1;
    sightings.push({
      eventKey: eventKey(event),
      eventId: event.id,
      createdAt: event.createdAt,
      workflow: event.workflow,
      nextReadAt: nextReadAt(event, judgement.isSettled, reads, now, parts.horizonMs),
    });
  }
  const recorded = await parts.store.record(cursor, { sightings, failures, successes: [], unreadable }, now);
  sum.newEvents += recorded.newEvents;
  sum.newFailures += recorded.newFailures;
  sum.unreadable += unreadable.length;
}
