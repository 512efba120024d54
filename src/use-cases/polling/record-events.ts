import type { ServiceProblem } from '../../domain/errors.ts';
import type { Failure } from '../../domain/failures/failure.ts';
import { type Judgement, judge } from '../../domain/failures/judge.ts';
import { labelNumbersOf } from '../../domain/failures/labels.ts';
import type { Delivered, Success } from '../../domain/failures/successes.ts';
import { deliveriesOf, successesOf } from '../../domain/failures/successes.ts';
import type { Logger } from '../../domain/logger.ts';
import type { GapCause, GapPart } from '../../domain/polling/gap.ts';
import type { RefusedEvent } from '../../domain/polling/quarantine.ts';
import type { ReadTo } from '../../domain/polling/reading.ts';
import { nextReadAt } from '../../domain/polling/rereading.ts';
import type { MinuteOfEvents } from '../../domain/polling/sweeps.ts';
import { eventKey, mayHideFailures, type TriggeredEvent, type Workflow } from '../../domain/service/event.ts';
import type { Call, EventQuery, Page, UnreadableItem } from '../../domain/service/query.ts';
import { askableId, boundedId } from '../../domain/text/bounded-id.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';

/**
 * How far an environment has been read. Taking it raises its `version`, the fencing token: the one who took it before can write nothing
 * more. Those who check the past have a token of their own, so that they never fence off the present, nor it them.
 */
export interface Cursor extends ReadTo {
  readonly environment: string;
  readonly version: number;
  /** Whose token `version` is; absent: that of the present. */
  readonly lane?: 'past';
  readonly lastPollAt: Date | null;
  /** What kept the last round from reading; null where it succeeded. */
  readonly problem: ServiceProblem | null;
}

/** An event as it was read: enough to count it once and to know when to read it again. */
export interface TrackedEvent {
  readonly eventKey: string;
  /** Null where the service can't be asked for it by its id: it is found in a window of the list. */
  readonly eventId: string | null;
  /** Null only where the service gives no time: the time of reading replaces counts. */
  readonly createdAt: Date | null;
  readonly workflow: Workflow | null;
  /** When to read it again because it is not settled; null: never. */
  readonly nextReadAt: Date | null;
  /** The answer left its steps out: a sighting that is known keeps its time. */
  readonly isPartial: boolean;
  /** Its steps that were delivered. They're counted once, when it's settled. */
  readonly delivered: readonly Delivered[];
  /** The numbers (`labelNumbersOf`) that it's counted under when it's new. */
  readonly labels: readonly number[];
}

/**
 * An event that is due to be read again. `createdAt` is the time of the first sighting where the service gives none; `reads` counts how
 * often it was read, `misses` how often in a row it was asked for and not seen.
 */
export interface DueEvent {
  readonly eventKey: string;
  readonly eventId: string | null;
  readonly createdAt: Date;
  readonly reads: number;
  readonly misses: number;
}

/** An event that was asked for and not seen. `nextReadAt` null: it is given up. */
export interface Missed {
  readonly eventKey: string;
  readonly nextReadAt: Date | null;
}

/** What one page, or one event read again, adds to what is known. */
export interface Reading {
  readonly trackedEvents: readonly TrackedEvent[];
  readonly failures: readonly Failure[];
  /** Deliveries that succeeded: a group of the same workflow, channel and provider that fails no more has recovered. */
  readonly successes: readonly Success[];
  readonly unreadable: readonly UnreadableItem[];
  /** Events that no failures could be found in, because that threw. */
  readonly refused?: readonly RefusedEvent[];
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
export interface SetAside extends TimeRange {
  readonly cause: GapCause;
  readonly problem: ServiceProblem | null;
  readonly parts: readonly GapPart[];
}

export interface ReadingStore {
  /** The environment's cursor, made with `coveredFrom = readTo = first` where there is none, with its version raised by one. */
  takeCursor(environment: string, first: Date): Promise<Cursor>;
  /** The present is no longer being recorded, however that ended. Does nothing for a cursor that was taken since. */
  endPresent(cursor: Cursor): Promise<void>;
  /** The environment's cursor with the past's token raised by one; null before the present was read for the first time. */
  takePast(environment: string): Promise<Cursor | null>;
  /** The sweeps of a recheck have ended. Where they failed, they are behind by the time since they last did not. */
  noteSweepEnded(cursor: Cursor, outcome: 'done' | 'failed', now: Date): Promise<void>;
  /**
   * Sightings, event counts, failures and groups, in one transaction. Events and failures that are known already are not counted
   * again. Throws `FencedOffError`, and writes nothing, when the cursor was taken by somebody else since; so do all that take one.
   */
  record(cursor: Cursor, reading: Reading, now: Date): Promise<Recorded>;
  /** Moves the cursor, opens gaps for what is set aside, and ends the gap of an environment that couldn't be read until now. */
  finishPresent(cursor: Cursor, present: PresentRead, now: Date): Promise<void>;
  /** Notes that a round failed; after five minutes of that a gap is opened whose end is not known yet. */
  noteTrouble(cursor: Cursor, problem: ServiceProblem, now: Date): Promise<void>;
  /** What of a window is part of a gap: still to be read, or given up. */
  gapsWithin(environment: string, window: TimeRange): Promise<TimeRange[]>;
  /** The events due by `now`, those due for longest first. */
  dueEvents(environment: string, now: Date, limit: number): Promise<DueEvent[]>;
  /** Counts a miss of an event that was asked for, and puts it off; one that is given up is counted for its environment. */
  noteMissed(cursor: Cursor, missed: Missed): Promise<void>;
  /** How many events, readable or not, were created in the minutes that lie in some windows, which don't overlap. */
  eventsByMinute(environment: string, windows: readonly TimeRange[]): Promise<MinuteOfEvents[]>;
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
  /** Requests a minute that checks for late failures may make now; 90 where nobody says. */
  readonly recheckRequestsAMinute?: () => number;
  /** Stops the reading between two pages: what is recorded stays, the next round goes on from there. */
  readonly signal: AbortSignal;
}

/** What a round has recorded so far, and the pages of the list that it took. */
export type Sum = { newEvents: number; newFailures: number; unreadable: number; events: number; pages: number };

export function emptySum(): Sum {
  return { newEvents: 0, newFailures: 0, unreadable: 0, events: 0, pages: 0 };
}

/** What of a sum is reported. */
export function recordedIn({ newEvents, newFailures, unreadable }: Sum): Recorded & { unreadable: number } {
  return { newEvents, newFailures, unreadable };
}

/** Where a page comes from: how often its events were read before, and when first, and the gap that it was missing in. */
export interface Origin {
  readonly readsBefore?: (eventKey: string) => number;
  readonly firstSeenAt?: (eventKey: string) => Date | null;
  readonly gapId?: string;
}

/** What recording works with. */
export type RecordingParts = Pick<ReadingParts<Pick<ReadingStore, 'record'>>, 'store' | 'logger' | 'now' | 'horizonMs'>;

/** Records what was read, and what it shows of failures and successes. An empty page costs no write. */
export async function recordEvents(
  cursor: Cursor,
  page: Pick<Page<TriggeredEvent>, 'items' | 'unreadable'>,
  parts: RecordingParts,
  sum: Sum,
  { readsBefore = () => 0, firstSeenAt = () => null, gapId }: Origin = {},
): Promise<void> {
  if (page.items.length + page.unreadable.length === 0) return;
  const now = parts.now();
  const firstSeen = (event: TriggeredEvent) => firstSeenAt(eventKey(event)) ?? now;
  const unreadable = [...page.unreadable, ...page.items.filter(mayHideFailures).map(partOf)];
  const { judged, refused } = judgeEach(page.items, now, firstSeen, parts.logger);
  const reading: Reading = {
    trackedEvents: judged.map(({ event, judgement }) => {
      const reads = readsBefore(eventKey(event)) + 1;
      const dated = { createdAt: event.createdAt ?? firstSeen(event) };
      const readAgainAt = nextReadAt(dated, judgement.isSettled, reads, now, parts.horizonMs);
      return trackedEventOf(event, readAgainAt, deliveriesOf(event, judgement));
    }),
    failures: judged.flatMap(({ judgement }) => judgement.failures),
    successes: successesOf(judged),
    unreadable,
    ...(refused.length > 0 && { refused }),
    ...(gapId !== undefined && { gapId }),
  };
  const recorded = await parts.store.record(cursor, reading, now);
  sum.newEvents += recorded.newEvents;
  sum.newFailures += recorded.newFailures;
  sum.unreadable += unreadable.length;
  sum.events += page.items.length + page.unreadable.length;
}

/** What stands for the parts of an event that couldn't be read: the event itself is counted by its sighting. */
function partOf(event: TriggeredEvent): UnreadableItem {
  return { key: boundedId(`part of ${eventKey(event)}`), createdAt: event.createdAt };
}

/** Judges each event by itself, so that one with which that throws keeps no other from being recorded. */
export function judgeEach(
  events: readonly TriggeredEvent[],
  now: Date,
  firstSeen: (event: TriggeredEvent) => Date,
  logger: Logger,
) {
  const judged: { readonly event: TriggeredEvent; readonly judgement: Judgement }[] = [];
  const refused: RefusedEvent[] = [];
  for (const event of events) {
    try {
      judged.push({ event, judgement: judge(event, now, firstSeen(event)) });
    } catch (err) {
      logger.error({ err }, 'event could not be judged, which is a bug');
      const code = err instanceof Error ? err.name : typeof err;
      refused.push({ eventKey: eventKey(event), createdAt: event.createdAt, code });
    }
  }
  return { judged, refused };
}

/** A sighting of an event that is read again at a time, null: never; and of its steps that were delivered. */
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
    labels: labelNumbersOf(event),
  };
}
