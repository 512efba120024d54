import type { ServiceProblem } from '../../domain/errors.ts';
import type { Failure } from '../../domain/failures/failure.ts';
import { type JudgedEvent, judge } from '../../domain/failures/judge.ts';
import type { Delivered, Success } from '../../domain/failures/successes.ts';
import { deliveriesOf, successesOf } from '../../domain/failures/successes.ts';
import type { Logger } from '../../domain/logger.ts';
import type { GapCause, GapPart } from '../../domain/polling/gap.ts';
import { byOurClock, byServiceClock, type ReadTo } from '../../domain/polling/reading.ts';
import { nextReadAt } from '../../domain/polling/rereading.ts';
import { eventKey, mayHideFailures, type TriggeredEvent, type Workflow } from '../../domain/service/event.ts';
import type { Call, EventQuery, Listed, Page, UnreadableItem } from '../../domain/service/query.ts';
import { askableId, boundedId } from '../../domain/text/bounded-id.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import type { NewlyFound, Sum } from './sum.ts';

/**
 * How far an environment has been read. Taking the cursor raises its `version`, the fencing token: the previous holder can't write anything
 * else. Checks of the past have a token of their own, so that they and the present never fence each other off.
 */
export interface Cursor extends ReadTo {
  readonly environment: string;
  readonly version: number;
  /** Whose token `version` is; if absent, the present's. */
  readonly lane?: 'past';
  /** The present's token when the past's was taken. */
  readonly presentVersion?: number;
  readonly lastPollAt: Date | null;
  /** How far the service's clock was ahead of ours by the last poll that succeeded, whichever process ran it; null: it doesn't say. */
  readonly clockAheadMs: number | null;
  /** What kept the last poll from reading; null if it succeeded. */
  readonly problem: ServiceProblem | null;
}

/** An event as read: enough to count it once and to know when to reread it. */
export interface TrackedEvent {
  readonly eventKey: string;
  /** Null if the service can't be asked for it by its ID; it is then looked for in a window of the list. */
  readonly eventId: string | null;
  /** Null only if the service gives no time; the time of reading is used instead. */
  readonly createdAt: Date | null;
  readonly workflow: Workflow | null;
  /** When to reread it because it isn't settled; null: never. */
  readonly nextReadAt: Date | null;
  /** The response omitted its steps. A known event keeps its scheduled time. */
  readonly isPartial: boolean;
  /** Its delivered steps. They're counted once, when the event is settled. */
  readonly delivered: readonly Delivered[];
}

/**
 * An event that is due for rereading. `createdAt` is when it was first seen if the service gives no time; `reads` counts how often it was
 * read, `misses` how often in a row it was requested and not seen.
 */
export interface DueEvent {
  readonly eventKey: string;
  readonly eventId: string | null;
  readonly createdAt: Date;
  readonly reads: number;
  readonly misses: number;
}

/** An event that was requested and not seen. If `nextReadAt` is null, it is given up. */
export interface Missed {
  readonly eventKey: string;
  readonly nextReadAt: Date | null;
}

/** An event that could not be recorded because of its contents. */
export interface RefusedEvent {
  readonly eventKey: string;
  readonly createdAt: Date | null;
  /** PostgreSQL's SQLSTATE, or the class of one of Notif's own errors. */
  readonly code: string;
}

/** What one page, or one reread event, adds to what is known. */
export interface Reading {
  readonly trackedEvents: readonly TrackedEvent[];
  readonly failures: readonly Failure[];
  /** Successful deliveries: a group with the same workflow, channel and provider that stops failing has recovered. */
  readonly successes: readonly Success[];
  readonly unreadable: readonly UnreadableItem[];
  /** Events that could not be searched for failures because that threw. */
  readonly refused?: readonly RefusedEvent[];
  /** The gap in which it was read late; counts what the gap held. */
  readonly gapId?: string;
}

export interface Recorded extends NewlyFound {
  /** Events that couldn't be read and weren't counted before. */
  readonly newUnreadable: number;
  /** The keys of what wasn't recorded because it was refused. */
  readonly notRecorded?: readonly string[];
}

export interface PresentRead {
  /** Everything up to here was read, except what is set aside. */
  readonly to: Date;
  readonly setAside: readonly SetAside[];
  readonly clockAheadMs: number | null;
  /** `createdAt` of the newest event that the poll read; null: none. */
  readonly newestEventAt: Date | null;
  /** What kept the poll from reading any new event; null or absent: it read one, or everything that there is. */
  readonly problem?: ServiceProblem | null;
}

/** A time range left for later: it becomes a gap, or extends the open one. */
export interface SetAside extends TimeRange {
  readonly cause: GapCause;
  readonly problem: ServiceProblem | null;
  readonly parts: readonly GapPart[];
}

export interface ReadingStore {
  /** Takes the environment's cursor, raising its version by one; creates it with `coveredFrom = checkedTo = first` if there is none. */
  takeCursor(environment: string, first: Date): Promise<Cursor>;
  /** Keeps an environment's newest events in memory, to compare an incident's with. */
  sampleTraffic(environment: string, events: readonly TriggeredEvent[]): void;
  /** Notes that the present is not being recorded anymore, however that ended. Does nothing if the cursor has been taken since. */
  endPresent(cursor: Cursor): Promise<void>;
  /**
   * Takes the environment's cursor, raising the past's token by one. Null before the present was first read, and while a recheck goes on
   * that began after `notSince`: a woken recheck must not cut off another replica's.
   */
  takePast(environment: string, now: Date, notSince: Date): Promise<Cursor | null>;
  /** Notes that no recheck goes on anymore, however it ended. Does nothing if the cursor has been taken since. */
  endPast(cursor: Cursor): Promise<void>;
  /** Notes that the sweeps of a recheck ended. Failed sweeps are behind by the time since they last succeeded. */
  noteSweepEnded(cursor: Cursor, outcome: 'done' | 'failed', now: Date): Promise<void>;
  /**
   * Records tracked events, event counts, failures and groups in one transaction. Events and failures already known aren't counted again.
   * Throws `FencedOffError` and writes nothing if somebody else has taken the cursor since, like every method that takes one.
   */
  record(cursor: Cursor, reading: Reading, now: Date): Promise<Recorded>;
  /**
   * Moves the cursor, opens gaps for what is set aside, and ends the gap of an environment that couldn't be read until now. A poll with a
   * problem doesn't count as one that succeeded.
   */
  finishPresent(cursor: Cursor, present: PresentRead, now: Date): Promise<void>;
  /** Notes that a poll failed; after five minutes of failures opens a gap whose end isn't known yet. */
  noteTrouble(cursor: Cursor, problem: ServiceProblem, now: Date): Promise<void>;
  /** Returns the parts of a window that belong to gaps, both unchecked and given up. */
  gapsWithin(environment: string, window: TimeRange): Promise<TimeRange[]>;
  /** Returns the events due by `now`, the longest overdue first. */
  dueEvents(environment: string, now: Date, limit: number): Promise<DueEvent[]>;
  /** Counts a miss of a requested event and postpones it; one that is given up is counted for its environment. */
  noteMissed(cursor: Cursor, missed: Missed): Promise<void>;
}

export interface EventReader {
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
  /** Returns how far the service's clock is ahead of ours by its last response, in milliseconds; null if its responses don't say. */
  clockAheadMs(): number | null;
}

export interface ReadingParts<Store = ReadingStore> {
  readonly service: EventReader;
  readonly store: Store;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly horizonMs: number;
  /** The time between two polls; work on the past takes at most most of it. */
  readonly pollMs: number;
  /** Requests a minute that checks for late failures can currently make; 90 if absent. */
  readonly recheckRequestsAMinute?: () => number;
  /** Stops the reading between two pages: what is recorded stays, and the next poll continues there. */
  readonly signal: AbortSignal;
}

/** Returns how far the service's clock is ahead of ours. A process that has had no answer yet goes by the last poll, which another ran. */
export function clockAheadOf(cursor: Cursor, service: Pick<EventReader, 'clockAheadMs'>): number | null {
  return service.clockAheadMs() ?? cursor.clockAheadMs;
}

/** Returns when an event was created, by our clock. One without a time of creation counts as created when it was first seen. */
export function createdByOurClock({ createdAt }: TriggeredEvent, firstSeen: Date, clockAheadMs: number | null): Date {
  return createdAt === null ? firstSeen : byOurClock(createdAt, clockAheadMs);
}

/** Where a page comes from: how often its events were read before, when first, and the gap in which it was missing. */
export interface PageOrigin {
  readonly readsBefore?: (eventKey: string) => number;
  readonly firstSeenAt?: (eventKey: string) => Date | null;
  readonly gapId?: string;
}

export interface RecordingParts
  extends Pick<ReadingParts<Pick<ReadingStore, 'record' | 'sampleTraffic'>>, 'store' | 'logger' | 'now' | 'horizonMs'> {
  readonly service: Pick<EventReader, 'clockAheadMs'>;
}

/**
 * Records what was read, with the failures and successes it shows. An empty page costs no write. Returns the keys of the events that
 * couldn't be recorded, which stay as they were.
 */
export async function recordEvents(
  cursor: Cursor,
  page: Listed<TriggeredEvent>,
  parts: RecordingParts,
  sum: Sum,
  { readsBefore = () => 0, firstSeenAt = () => null, gapId }: PageOrigin = {},
): Promise<readonly string[]> {
  if (page.items.length + page.unreadable.length === 0) return [];
  const now = parts.now();
  const clockAheadMs = clockAheadOf(cursor, parts.service);
  const firstSeen = (event: TriggeredEvent) => firstSeenAt(eventKey(event)) ?? now;
  const unreadable = unreadableOf(page);
  const { judged, refused } = judgeEach(page.items, { now, clockAheadMs }, firstSeen, parts.logger);
  const reading: Reading = {
    trackedEvents: judged.map(({ event, judgement }) => {
      const reads = readsBefore(eventKey(event)) + 1;
      const dated = { createdAt: createdByOurClock(event, firstSeen(event), clockAheadMs) };
      const readAgainAt = nextReadAt(dated, judgement.isSettled, reads, now, parts.horizonMs);
      return trackedEventOf(event, readAgainAt, deliveriesOf(event, judgement));
    }),
    failures: judged.flatMap(({ judgement }) => judgement.failures),
    successes: successesOf(judged),
    unreadable,
    ...(refused.length > 0 && { refused }),
    ...(gapId !== undefined && { gapId }),
  };
  if (cursor.lane !== 'past') parts.store.sampleTraffic(cursor.environment, page.items);
  const recorded = await parts.store.record(cursor, reading, now);
  sum.newEvents += recorded.newEvents;
  sum.newFailures += recorded.newFailures;
  sum.unreadable += unreadable.length;
  for (const { createdAt } of page.items) {
    if (createdAt !== null && (sum.newestEventAt === null || createdAt > sum.newestEventAt))
      sum.newestEventAt = createdAt;
  }
  const notRecorded = new Set([...(recorded.notRecorded ?? []), ...refused.map((event) => event.eventKey)]);
  return page.items.map(eventKey).filter((key) => notRecorded.has(key));
}

/** Returns what may hide failures on a page: events that can't be read, and parts of events; those events are counted as tracked. */
export function unreadableOf({ items, unreadable }: Listed<TriggeredEvent>): UnreadableItem[] {
  return [...unreadable, ...items.filter(mayHideFailures).map(partOf)];
}

function partOf(event: TriggeredEvent): UnreadableItem {
  return { key: boundedId(`part of ${eventKey(event)}`), createdAt: event.createdAt };
}

/** Judges each event separately, by the service's clock, so that one whose judging throws doesn't block the others. */
export function judgeEach(
  events: readonly TriggeredEvent[],
  { now, clockAheadMs }: { readonly now: Date; readonly clockAheadMs: number | null },
  firstSeen: (event: TriggeredEvent) => Date,
  logger: Logger,
) {
  const judged: JudgedEvent[] = [];
  const refused: RefusedEvent[] = [];
  const there = (time: Date) => byServiceClock(time, clockAheadMs);
  for (const event of events) {
    try {
      judged.push({ event, judgement: judge(event, there(now), there(firstSeen(event))) });
    } catch (err) {
      logger.error({ err }, 'event could not be judged, which is a bug');
      const code = err instanceof Error ? err.name : typeof err;
      refused.push({ eventKey: eventKey(event), createdAt: event.createdAt, code });
    }
  }
  return { judged, refused };
}

/** Returns the tracked event, with when to reread it (null: never) and its delivered steps. */
export function trackedEventOf(
  event: TriggeredEvent,
  readAgainAt: Date | null,
  delivered: readonly Delivered[],
): TrackedEvent {
  const { id, createdAt, workflow } = event;
  return {
    eventKey: eventKey(event),
    eventId: askableId(id),
    createdAt,
    workflow,
    nextReadAt: readAgainAt,
    isPartial: !event.listsSteps,
    delivered,
  };
}
