import { isAboutTheRequest, ServiceError } from '../domain/errors.ts';
import { eventKey, type TriggeredEvent } from '../domain/event.ts';
import type { Call } from '../domain/query.ts';
import { planRereads, type Reread } from '../domain/rereading.ts';
import { type Cursor, type DueSighting, type ReadingParts, recordEvents, type Sum } from './record-events.ts';

/** So many are planned at a time: what a statement reads in a few milliseconds. */
const BATCH = 500;

/** An event that could not be read lets the others go first for this long. */
const PUT_OFF_MS = 5 * 60_000;

/** `eventsAMinute`: how many are created at present, which says what a window of the list costs. */
export interface Rereading {
  readonly eventsAMinute: number;
  readonly until: Date;
}

/**
 * Reads the events again that were not settled and are due. Returns whether that was all of them. One that the service can't answer for
 * is put off and holds up no other; throws `ServiceError` when the service can't be read at all.
 */
export async function readAgain(cursor: Cursor, parts: ReadingParts, sum: Sum, rereading: Rereading): Promise<boolean> {
  const started = parts.now();
  for (;;) {
    const due = await parts.store.dueSightings(cursor.environment, started, BATCH);
    for (const reread of planRereads(due, rereading.eventsAMinute)) {
      if (parts.signal.aborted || parts.now() >= rereading.until) return false;
      await carryOut(reread, cursor, parts, sum);
    }
    if (due.length < BATCH) return true;
  }
}

async function carryOut(reread: Reread<DueSighting>, cursor: Cursor, parts: ReadingParts, sum: Sum): Promise<void> {
  const missing = new Map(reread.events.map((event) => [event.eventKey, event]));
  try {
    for await (const events of readsOf(reread, parts)) await recordDue(events, missing, cursor, parts, sum);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await parts.store.postpone(cursor, [...missing.keys()], new Date(parts.now().getTime() + PUT_OFF_MS));
    if (!isAboutTheRequest(error.problem)) throw error;
    const fields = { environment: cursor.environment, events: missing.size, problem: error.problem.kind };
    parts.logger.warn(fields, 'events could not be read again, put off');
    return;
  }
  // What the service no longer has will not fail any more.
  if (missing.size > 0) await parts.store.postpone(cursor, [...missing.keys()], null);
}

async function* readsOf(
  reread: Reread<DueSighting>,
  { service, signal }: ReadingParts,
): AsyncGenerator<readonly TriggeredEvent[]> {
  const call: Call = { who: 'poller', signal };
  if (reread.by === 'id') {
    const event = await service.retrieveEvent(reread.id, call);
    if (event !== null) yield [event];
    return;
  }
  const window = { after: reread.from, before: reread.to, limit: 50 };
  for await (const page of service.eventPages(window, call)) yield page.items;
}

/** Of what a window of the list shows, only the events that are due: the others have been counted and forgotten. */
async function recordDue(
  events: readonly TriggeredEvent[],
  missing: Map<string, DueSighting>,
  cursor: Cursor,
  parts: ReadingParts,
  sum: Sum,
): Promise<void> {
  const items = events.filter((event) => missing.has(eventKey(event)));
  if (items.length === 0) return;
  const readsBefore = (key: string) => missing.get(key)?.reads ?? 0;
  await recordEvents(cursor, { items, unreadable: [] }, parts, sum, { readsBefore });
  for (const event of items) missing.delete(eventKey(event));
}
