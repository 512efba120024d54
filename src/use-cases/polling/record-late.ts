import type { Logger } from '../../domain/logger.ts';
import { nextReadAt } from '../../domain/polling/rereading.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Listed } from '../../domain/service/query.ts';
import { HOUR_MS } from '../../domain/time/durations.ts';
import {
  type Cursor,
  clockAheadOf,
  createdByOurClock,
  type EventReader,
  judgeEach,
  type ReadingStore,
  trackedEventOf,
  unreadableOf,
} from './record-events.ts';
import type { Sum } from './sum.ts';
import type { SweepStore } from './sweep.ts';

type Judged = ReturnType<typeof judgeEach>['judged'][number];

/** Distinguishes new late failures from known ones. */
export interface LateStore
  extends Pick<ReadingStore, 'record' | 'sampleTraffic'>,
    Pick<SweepStore, 'unknownEvents' | 'unknownFailures' | 'unknownUnreadable'> {}

export interface LateParts {
  readonly service: Pick<EventReader, 'clockAheadMs'>;
  readonly store: LateStore;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly horizonMs: number;
}

/**
 * Records what is new about events counted before: late failures, and events or parts of them that can't be read since they failed. Also
 * records unsettled events that no poll has seen, so that they're followed from here on. Writes nothing if there are none.
 */
export async function recordLate(
  cursor: Cursor,
  page: Listed<TriggeredEvent>,
  parts: LateParts,
  sum: Sum,
): Promise<void> {
  const { store, logger } = parts;
  const now = parts.now();
  const clockAheadMs = clockAheadOf(cursor, parts.service);
  const { judged, refused } = judgeEach(page.items, { now, clockAheadMs }, () => now, logger);
  const failures = await newOf(
    judged.flatMap(({ judgement }) => judgement.failures),
    (found) => store.unknownFailures(cursor.environment, found),
  );
  const unreadable = await newOf(unreadableOf(page), (items) => store.unknownUnreadable(cursor.environment, items));
  const unseen = await newOf(
    judged.filter((one) => canBeUnseen(one, cursor)).map(({ event }) => event),
    (events) => store.unknownEvents(cursor.environment, events),
  );
  const trackedEvents = unseen.flatMap((event) => {
    const createdAt = createdByOurClock(event, now, clockAheadMs);
    const readAgainAt = nextReadAt({ createdAt }, false, 1, now, parts.horizonMs);
    // One beyond the horizon isn't followed, and may have been until then and been forgotten.
    return readAgainAt === null ? [] : [trackedEventOf(event, readAgainAt, [])];
  });
  if (failures.length + unreadable.length + trackedEvents.length + refused.length === 0) return;
  const reading = { trackedEvents, failures, successes: [], unreadable, ...(refused.length > 0 && { refused }) };
  const recorded = await store.record(cursor, reading, now);
  sum.newEvents += recorded.newEvents;
  sum.newFailures += recorded.newFailures;
  sum.unreadable += unreadable.length;
}

/** Less than the two hours for which the store keeps every event that was read (`SETTLED_EVENTS`), even settled ones. */
const SURELY_KNOWN_MS = HOUR_MS;

/** Whether an event that the store doesn't know is unseen: where the list has no steps, an older one may be settled and forgotten. */
function canBeUnseen({ event, judgement }: Judged, { checkedTo }: Cursor): boolean {
  if (event.listsSteps) return !judgement.isSettled;
  return event.createdAt !== null && event.createdAt.getTime() > checkedTo.getTime() - SURELY_KNOWN_MS;
}

/** Skips the store for pages with nothing that could be new, which is most of them. */
async function newOf<Item>(
  items: readonly Item[],
  unknown: (items: readonly Item[]) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  return items.length === 0 ? [] : unknown(items);
}
