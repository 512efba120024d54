import { FencedOffError, mayBeAboutTheRequest, ServiceError } from '../../domain/errors.ts';
import type { NotRechecked } from '../../domain/polling/check.ts';
import { isWithin, padded, shared } from '../../domain/polling/reading-windows.ts';
import { answerAbout, eventKey, hidesOutcome, type TriggeredEvent } from '../../domain/service/event.ts';
import { type Call, type Listed, PAGE_SIZE } from '../../domain/service/query.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { type Cursor, type DueEvent, type ReadingParts, recordEvents } from './record-events.ts';
import { type LateStore, recordLate } from './record-late.ts';
import { emptySum, type Sum } from './sum.ts';

export interface RecheckStore extends LateStore {
  /** Returns the cursor with which the past was last taken, without taking it; null before the present was first read. */
  currentPast(environment: string): Promise<Cursor | null>;
  /** Returns how many events created in a window have been checked, by whole minutes. */
  eventsWithin(environment: string, window: TimeRange): Promise<number>;
  /** Returns the events created in a window that have a step that isn't final, the newest first. */
  openEvents(environment: string, window: TimeRange, limit: number): Promise<DueEvent[]>;
}

export interface RecheckWindowsParts extends Omit<ReadingParts<RecheckStore>, 'pollMs'> {
  wakeAnnouncing(): Promise<void>;
}

/** The most requests per recheck: a list of a thousand events, or this many single events. */
const MOST_REQUESTS = 20;
const MOST_OPEN = 1_000;

/**
 * Rechecks the events of some windows for a person's question: all of them if they fit in a list of twenty pages, then by ID the newest of
 * those not yet seen with a step that isn't final. Returns how many were left out because of these limits, the service or the time. Fences
 * off neither polls nor rechecks. Wakes announcing if it finds a failure. Throws the store's errors.
 */
export async function recheckWindows(
  environment: string,
  windows: readonly TimeRange[],
  parts: RecheckWindowsParts,
): Promise<NotRechecked> {
  const cursor = await parts.store.currentPast(environment);
  if (cursor === null) return { inProgress: 0, settled: 0 };
  const recheck = { environment, parts, sum: emptySum(), requestsLeft: MOST_REQUESTS };
  const left = { inProgress: 0, settled: 0 };
  try {
    for (const window of windows) {
      // Notif records only what was created within the checked range.
      const known = shared(window, { from: cursor.coveredFrom, to: cursor.checkedTo });
      if (known === null) continue;
      const { inProgress, settled } = await recheckWindow(known, recheck);
      left.inProgress += inProgress;
      left.settled += settled;
    }
  } finally {
    if (recheck.sum.newFailures > 0) await parts.wakeAnnouncing();
  }
  return left;
}

interface Recheck {
  readonly environment: string;
  readonly parts: RecheckWindowsParts;
  readonly sum: Sum;
  requestsLeft: number;
}

async function recheckWindow(window: TimeRange, recheck: Recheck): Promise<NotRechecked> {
  const { environment, parts, requestsLeft } = recheck;
  const open = await parts.store.openEvents(environment, window, MOST_OPEN);
  const events = await parts.store.eventsWithin(environment, window);
  const waiting = new Map(open.map((event) => [event.eventKey, event]));
  let settled = Math.max(0, events - open.length);
  try {
    if (Math.ceil((events + 1) / PAGE_SIZE) <= requestsLeft) {
      settled = (await recheckList(window, waiting, recheck)) ?? settled;
    }
    await recheckById(waiting, recheck);
  } catch (err) {
    const isExpected = err instanceof ServiceError || err instanceof FencedOffError || parts.signal.aborted;
    if (!isExpected) throw err;
    parts.logger.info({ environment, left: waiting.size, err }, 'recheck upon a question broke off');
  }
  return { inProgress: waiting.size, settled };
}

type Waiting = Map<string, DueEvent>;

/** Removes the events that the list shows from `waiting`. Returns how many others may hide a failure; null for a list that is too long. */
async function recheckList(window: TimeRange, waiting: Waiting, recheck: Recheck): Promise<number | null> {
  const { from, to } = padded(window);
  const query = { after: from, before: to, limit: PAGE_SIZE };
  let unclear = 0;
  recheck.requestsLeft -= 1;
  for await (const page of recheck.parts.service.eventPages(query, callOf(recheck))) {
    const items = page.items.filter(isWithin(window));
    const shown = items.filter(({ listsSteps }) => listsSteps);
    const hiding = items.filter((event) => hidesOutcome(event) && !waiting.has(eventKey(event)));
    const unreadable = page.unreadable.filter(isWithin(window));
    unclear += hiding.length + unreadable.length;
    await record({ items: shown, unreadable }, waiting, recheck);
    if (!page.hasMore) break;
    if (recheck.requestsLeft === 0) return null;
    recheck.requestsLeft -= 1;
  }
  return unclear;
}

/** Removes from `waiting` the events that the service returns, the newest first. One that it can't return doesn't block the others. */
async function recheckById(waiting: Waiting, recheck: Recheck): Promise<void> {
  const { service, signal } = recheck.parts;
  for (const { eventId } of [...waiting.values()]) {
    if (signal.aborted || recheck.requestsLeft === 0) return;
    if (eventId === null) continue;
    recheck.requestsLeft -= 1;
    try {
      const event = answerAbout(eventId, await service.retrieveEvent(eventId, callOf(recheck)));
      if (event !== null) await record({ items: [event], unreadable: [] }, waiting, recheck);
    } catch (error) {
      if (!(error instanceof ServiceError) || !mayBeAboutTheRequest(error.problem)) throw error;
    }
  }
}

function callOf({ parts }: Recheck): Call {
  return { who: 'person', signal: parts.signal };
}

/** For events that had settled, records only what has failed since; they have been counted and forgotten. */
async function record(
  page: Listed<TriggeredEvent>,
  waiting: Waiting,
  { environment, parts, sum }: Recheck,
): Promise<void> {
  // Looked up each time, so that a recheck that began meanwhile is no reason to give up.
  const cursor = await parts.store.currentPast(environment);
  if (cursor === null) return;
  const items = page.items.filter((event) => waiting.has(eventKey(event)));
  const settled = page.items.filter((event) => !waiting.has(eventKey(event)));
  await recordEvents(cursor, { items, unreadable: [] }, parts, sum, {
    readsBefore: (key) => waiting.get(key)?.reads ?? 0,
    firstSeenAt: (key) => waiting.get(key)?.createdAt ?? null,
  });
  await recordLate(cursor, { items: settled, unreadable: page.unreadable }, parts, sum);
  for (const event of items) waiting.delete(eventKey(event));
}
