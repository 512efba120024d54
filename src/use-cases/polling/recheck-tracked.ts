import { InputError, mayBeAboutTheRequest, ServiceError, type ServiceProblem } from '../../domain/errors.ts';
import { byOurClock } from '../../domain/polling/reading.ts';
import { padded } from '../../domain/polling/reading-windows.ts';
import { nextTryAt, planRereads, type Reread, stretchesOf } from '../../domain/polling/rereading.ts';
import { answerAbout, eventKey, type TriggeredEvent } from '../../domain/service/event.ts';
import { type Call, type Listed, PAGE_SIZE, type Page } from '../../domain/service/query.ts';
import {
  type Cursor,
  clockAheadOf,
  type DueEvent,
  type ReadingParts,
  type ReadingStore,
  recordEvents,
} from './record-events.ts';
import { type LateStore, recordLate } from './record-late.ts';
import type { Sum } from './sum.ts';
import type { SweepStore } from './sweep.ts';

/** How many are planned at a time: as many as a statement reads in a few milliseconds. */
const BATCH = 500;

export type TrackedParts = ReadingParts<ReadingStore & LateStore & Pick<SweepStore, 'minutesWithEvents'>>;

/** Why an event is requested again: the service's problem, it was absent, or what it has become was refused (`isolateRefused`). */
type Miss = ServiceProblem['kind'] | 'absent' | 'not-recorded';

/** What a check of unsettled events knows about the service, and its results. */
interface Check {
  readonly cursor: Cursor;
  readonly parts: TrackedParts;
  readonly sum: Sum;
  readonly until: Date;
  /** Whether the list shows the steps of events. The contract lets it omit them; then only requests by ID help. */
  listsSteps: boolean;
  readonly misses: { events: number; givenUp: number; readonly problems: Set<Miss> };
}

/**
 * Rereads the unsettled events that are due. Returns whether it covered all of them. An event that isn't seen, for whatever reason, is
 * requested by ID, then again with growing pauses until the horizon; then it is given up, counted and logged. No request begins after
 * `until`. Throws `ServiceError` if the
 * service can't be read at all.
 */
export async function recheckTracked(cursor: Cursor, parts: TrackedParts, sum: Sum, until: Date): Promise<boolean> {
  const check: Check = {
    ...{ cursor, parts, sum, until, listsSteps: true },
    misses: { events: 0, givenUp: 0, problems: new Set() },
  };
  try {
    return await readDue(check, parts.now());
  } finally {
    noteMisses(check);
  }
}

async function readDue(check: Check, started: Date): Promise<boolean> {
  const { store } = check.parts;
  const { environment } = check.cursor;
  for (;;) {
    const due = await store.dueEvents(environment, started, BATCH);
    if (due.length === 0) return true;
    const counts = await store.minutesWithEvents(environment, stretchesOf(due));
    for (const reread of planRereads(due, counts)) {
      if (!(await carryOut(reread, check))) return false;
    }
    if (due.length < BATCH) return true;
  }
}

/** Returns false if time or the signal left part of it for later. */
async function carryOut(reread: Reread<DueEvent>, check: Check): Promise<boolean> {
  if (isOver(check)) return false;
  const missing = new Map(reread.events.map((event) => [event.eventKey, event]));
  const problem = reread.by === 'window' ? await readWindow(reread, missing, check) : null;
  for (const due of missing.values()) {
    if (isOver(check)) return false;
    if (due.eventId === null) await miss(due, problem, check);
    else await askById(due, due.eventId, check);
  }
  return true;
}

function isOver({ parts, until }: Check): boolean {
  return parts.signal.aborted || parts.now() >= until;
}

/**
 * Removes from `missing` the events that a window of the list shows. Stops after the last of them, or once requesting each by its ID would
 * have cost no more. Returns what kept the window from being read.
 */
async function readWindow(
  { from, to, events }: Reread<DueEvent> & { readonly by: 'window' },
  missing: Map<string, DueEvent>,
  check: Check,
): Promise<ServiceProblem | null> {
  const { service, signal, logger } = check.parts;
  const haveIds = events.every(({ eventId }) => eventId !== null);
  if (haveIds && !check.listsSteps) return null;
  const window = padded({ from, to });
  let pages = 0;
  try {
    const call: Call = { who: 'poller', signal };
    for await (const page of service.eventPages({ after: window.from, before: window.to, limit: PAGE_SIZE }, call)) {
      pages += 1;
      await recordDue(page, missing, check);
      if (missing.size === 0 || (haveIds && (pages >= events.length || !check.listsSteps))) return null;
    }
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || !mayBeAboutTheRequest(error.problem)) throw error;
    const fields = { environment: error.environment, events: missing.size, problem: error.problem.kind };
    logger.debug(fields, "a window of unsettled events couldn't be read");
    return error.problem;
  }
}

/**
 * Records the due events of a window. Of the others, which were counted before, only what is new: the list may have left an event out of
 * the answer that was to have it.
 */
async function recordDue(page: Page<TriggeredEvent>, missing: Map<string, DueEvent>, check: Check): Promise<void> {
  const due = page.items.filter((event) => missing.has(eventKey(event)));
  check.listsSteps &&= due.every(({ listsSteps }) => listsSteps);
  const items = due.filter(({ listsSteps }) => listsSteps);
  const unreadable = page.unreadable.filter(({ key }) => missing.has(key));
  const others = {
    items: page.items.filter((event) => !missing.has(eventKey(event))),
    unreadable: page.unreadable.filter(({ key }) => !missing.has(key)),
  };
  await recordLate(check.cursor, others, check.parts, check.sum);
  await record({ items, unreadable }, missing, check);
  for (const event of items) missing.delete(eventKey(event));
}

/** An answer without the event's steps counts as a miss. */
async function askById(due: DueEvent, id: string, check: Check): Promise<void> {
  const { parts } = check;
  const known = new Map([[due.eventKey, due]]);
  try {
    const event = answerAbout(id, await parts.service.retrieveEvent(id, { who: 'poller', signal: parts.signal }));
    if (event !== null) await record({ items: [event], unreadable: [] }, known, check);
    else await miss(due, null, check);
  } catch (error) {
    if (error instanceof InputError) return await miss(due, null, check);
    if (!(error instanceof ServiceError) || parts.signal.aborted) throw error;
    const { problem } = error;
    if (problem.kind === 'unreadable') {
      await record({ items: [], unreadable: [{ key: due.eventKey, createdAt: due.createdAt }] }, known, check);
    }
    if (problem.kind !== 'rate-limited') await miss(due, problem, check);
    if (!mayBeAboutTheRequest(problem)) throw error;
  }
}

/** An event that can't be recorded counts as a miss, because it may be accepted once it has changed. */
async function record(page: Listed<TriggeredEvent>, due: ReadonlyMap<string, DueEvent>, check: Check): Promise<void> {
  const { cursor, parts, sum } = check;
  const notRecorded = await recordEvents(cursor, page, parts, sum, {
    readsBefore: (key) => due.get(key)?.reads ?? 0,
    firstSeenAt: (key) => due.get(key)?.createdAt ?? null,
  });
  for (const event of notRecorded.flatMap((key) => due.get(key) ?? [])) {
    await miss(event, null, check, 'not-recorded');
  }
}

async function miss(
  due: DueEvent,
  problem: ServiceProblem | null,
  { cursor, parts, misses }: Check,
  as: Miss = problem?.kind ?? 'absent',
): Promise<void> {
  const createdAt = byOurClock(due.createdAt, clockAheadOf(cursor, parts.service));
  const nextReadAt = nextTryAt({ ...due, createdAt }, problem, parts.now(), parts.horizonMs);
  await parts.store.noteMissed(cursor, { eventKey: due.eventKey, nextReadAt });
  misses.events += 1;
  misses.givenUp += nextReadAt === null ? 1 : 0;
  misses.problems.add(as);
}

function noteMisses({ cursor, parts, misses }: Check): void {
  if (misses.events === 0) return;
  const fields = { environment: cursor.environment, events: misses.events, problems: [...misses.problems] };
  if (misses.givenUp > 0) {
    parts.logger.warn({ ...fields, givenUp: misses.givenUp }, 'unsettled events were given up: not seen to the end');
  } else parts.logger.info(fields, 'unsettled events were not seen, asked for again later');
}
