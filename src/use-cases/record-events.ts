import type { ServiceProblem } from '../domain/errors.ts';
import { eventKey, type TriggeredEvent, type Workflow } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { GapCause, GapPart } from '../domain/gap.ts';
import { judge } from '../domain/judge.ts';
import type { Logger } from '../domain/logger.ts';
import type { Call, EventQuery, Page, UnreadableItem } from '../domain/query.ts';
import type { ReadingWindow, ReadTo, Success } from '../domain/reading.ts';
import { nextReadAt } from '../domain/rereading.ts';
import { successesOf } from '../domain/successes.ts';

/** How far an environment has been read. Whoever takes it gets a new `version`, which fences off the one before. */
export interface Cursor extends ReadTo {
  readonly environment: string;
  readonly version: number;
  readonly lastRoundAt: Date | null;
  /** What kept the last round from reading; null where it succeeded. */
  readonly problem: ServiceProblem | null;
}

/** An event as it was read: enough to count it once and to know when to read it again. */
export interface Sighting {
  readonly eventKey: string;
  readonly eventId: string | null;
  /** Null only where the service gives no time: the time of reading stands in for counts. */
  readonly createdAt: Date | null;
  readonly workflow: Workflow | null;
  /** When to read it again because it is not settled; null: never. */
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
  /** The gap in which it was read late, which counts what it held. */
  readonly gapId?: string;
}

export interface Recorded {
  readonly newEvents: number;
  readonly newFailures: number;
}

/** The end of a round that has read the present. */
export interface PresentRead {
  /** Up to here all was read but for what is set aside. */
  readonly to: Date;
  readonly setAside: readonly SetAside[];
  readonly clockAheadMs: number | null;
}

/** A stretch of time that is left for later: it becomes a gap, or prolongs the one that is open. */
export interface SetAside extends ReadingWindow {
  readonly cause: GapCause;
  readonly problem: ServiceProblem | null;
  readonly parts: readonly GapPart[];
}

export interface ReadingStore {
  /** The environment's cursor, made with `coveredFrom = readTo = first` where there is none, with its version raised by one. */
  takeCursor(environment: string, first: Date): Promise<Cursor>;
  /**
   * Sightings, event counts, failures and groups, in one transaction. Events and failures that are known already are not counted
   * again. Throws `FencedOffError`, and writes nothing, when the cursor was taken by somebody else since; so do all that take one.
   */
  record(cursor: Cursor, reading: Reading, now: Date): Promise<Recorded>;
  /** Moves the cursor, opens gaps for what is set aside, and ends the gap of an environment that could not be read until now. */
  finishPresent(cursor: Cursor, present: PresentRead, now: Date): Promise<void>;
  /** Notes that a round failed; after five minutes of that a gap is opened whose end is not known yet. */
  noteTrouble(cursor: Cursor, problem: ServiceProblem, now: Date): Promise<void>;
  /** What of a window is part of a gap: still to be read, or given up. */
  gapsWithin(environment: string, window: ReadingWindow): Promise<ReadingWindow[]>;
  /** The events due by `now`, those due for longest first. */
  dueSightings(environment: string, now: Date, limit: number): Promise<DueSighting[]>;
  /** Puts off, or with null ends, the reading again of events that could not be found. */
  postpone(cursor: Cursor, eventKeys: readonly string[], until: Date | null): Promise<void>;
}

export interface EventReader {
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
  /** How far the service's clock is ahead of ours by its last answer, in milliseconds; null where its answers do not say. */
  clockAheadMs(): number | null;
}

/** What a round works with. */
export interface ReadingParts<Store = ReadingStore> {
  readonly service: EventReader;
  readonly store: Store;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly horizonMs: number;
  /** The time between two rounds: what is not about the present takes most of it at most. */
  readonly pollMs: number;
  /** Stops the reading between two pages: what is recorded stays, the next round goes on from there. */
  readonly signal: AbortSignal;
}

/** What a round has recorded so far, and the pages of the list that it took. */
export type Sum = { newEvents: number; newFailures: number; unreadable: number; events: number; pages: number };

export function emptySum(): Sum {
  return { newEvents: 0, newFailures: 0, unreadable: 0, events: 0, pages: 0 };
}

/** Where a page comes from: how often its events were read before, and the gap that it was missing in. */
export interface Origin {
  readonly readsBefore?: (eventKey: string) => number;
  readonly gapId?: string;
}

/** Records what was read, and what it shows of failures and successes. An empty page costs no write. */
export async function recordEvents(
  cursor: Cursor,
  page: Pick<Page<TriggeredEvent>, 'items' | 'unreadable'>,
  parts: Omit<ReadingParts, 'pollMs'>,
  sum: Sum,
  { readsBefore = () => 0, gapId }: Origin = {},
): Promise<void> {
  if (page.items.length + page.unreadable.length === 0) return;
  const now = parts.now();
  const judged = page.items.map((event) => ({ event, judgement: judge(event, now) }));
  const reading: Reading = {
    sightings: judged.map(({ event, judgement }) => {
      const reads = readsBefore(eventKey(event)) + 1;
      return sightingOf(event, nextReadAt(event, judgement.isSettled, reads, now, parts.horizonMs));
    }),
    failures: judged.flatMap(({ judgement }) => judgement.failures),
    successes: successesOf(judged),
    unreadable: page.unreadable,
    ...(gapId !== undefined && { gapId }),
  };
  const recorded = await parts.store.record(cursor, reading, now);
  sum.newEvents += recorded.newEvents;
  sum.newFailures += recorded.newFailures;
  sum.unreadable += page.unreadable.length;
  sum.events += page.items.length + page.unreadable.length;
}

function sightingOf(event: TriggeredEvent, readAgainAt: Date | null): Sighting {
  const { id, createdAt, workflow } = event;
  return { eventKey: eventKey(event), eventId: id, createdAt, workflow, nextReadAt: readAgainAt };
}
