import { mayBeAboutTheRequest, ServiceError, type ServiceProblem } from '../../domain/errors.ts';
import type { Unread } from '../../domain/polling/gap.ts';
import { beginWalk, hasNoOrder, isOrdered, type ListWalk, leftOf, withPage } from '../../domain/polling/list-order.ts';
import { halves, isWithin, lengthOf, padded } from '../../domain/polling/reading-windows.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { EventQuery, Page } from '../../domain/service/query.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import type { ReadingParts } from './record-events.ts';

export interface RangeReading {
  /** What of the list is read. */
  readonly channels?: readonly string[];
  onPage(page: Page<TriggeredEvent>): Promise<void>;
  /** No page is asked for after this, by the clock of `parts`, but the first. */
  readonly until: Date;
  /** Once a page was read, any problem ends the reading with what is left instead of an error: a rate limit can't undo what was read. */
  readonly keepsProgress?: true;
}

type Parts = Pick<ReadingParts, 'service' | 'logger' | 'now' | 'signal'>;

/** So many parts of a span may fail before the rest is left for later: each failure costs seconds of trying again. */
const MOST_FAILURES = 32;

/** Once something failed: the second around a window may be what the service can't answer for. */
const LEAST_PADDING_MS = 1;

/**
 * Reads all that can be read of a span. A part that the service can't answer for, though it answers others,
 * is halved down to a second: what is readable of it is read. Returns what was not read; also what time, or the signal, cut off, which
 * depends on the order that the list has shown. Throws `ServiceError` when the service can't be read at all or, without `keepsProgress`,
 * no longer.
 */
export async function readRange(range: TimeRange, reading: RangeReading, parts: Parts): Promise<Unread[]> {
  const unread: Unread[] = [];
  const waiting = [range];
  let failures = 0;
  let pages = 0;
  for (let window = waiting.pop(); window !== undefined; window = waiting.pop()) {
    const asked = failures === 0 ? padded(window) : padded(window, LEAST_PADDING_MS);
    const read = await readWindow(window, queryOf(asked, reading), reading, parts);
    const { toGoOnWith, error } = read;
    pages += read.pages;
    if (error === null) waiting.push(...toGoOnWith);
    else {
      const trouble = await troubleBehind(error, failures, parts);
      if (trouble !== null && (pages === 0 || !reading.keepsProgress)) throw trouble;
      if (trouble !== null) return [...unread, ...left([...waiting, ...toGoOnWith], trouble.problem)];
      failures += 1;
      // The first time it may be what lies around the window.
      const isParted = failures === 1 || toGoOnWith.length > 1;
      const pieces = isParted ? toGoOnWith : toGoOnWith.flatMap(halved);
      if (isParted || pieces.length > 1) waiting.push(...pieces);
      else unread.push(...left(pieces, error.problem));
      // All that waits is older still.
      if (!isParted && pieces.length === 1 && error.problem.kind === 'beyond-plan')
        return [...unread, ...left(waiting, error.problem)];
    }
    if (failures >= MOST_FAILURES || isOver(reading, parts)) return [...unread, ...left(waiting, null)];
  }
  return unread;
}

function left(windows: readonly TimeRange[], problem: ServiceProblem | null): Unread[] {
  return windows.map((window) => ({ window, problem }));
}

function isOver({ until }: RangeReading, { now, signal }: Pick<Parts, 'now' | 'signal'>): boolean {
  return signal.aborted || now() >= until;
}

/** `toGoOnWith`: what is left of a window, the oldest first; `error`: why, null where time or the signal ended it. */
interface WindowRead {
  readonly toGoOnWith: readonly TimeRange[];
  readonly error: ServiceError | null;
  readonly pages: number;
}

async function readWindow(
  window: TimeRange,
  query: PinnedQuery,
  reading: RangeReading,
  parts: Parts,
): Promise<WindowRead> {
  const { service, signal } = parts;
  let walk = beginWalk();
  let pages = 0;
  const left = (error: ServiceError | null) => ({ toGoOnWith: piecesToGoOnWith(window, walk), error, pages });
  try {
    for await (const page of service.eventPages(query, { who: 'poller', signal })) {
      await reading.onPage(within(window, page));
      walk = withPage(walk, page);
      pages += 1;
      if (page.hasMore && isOver(reading, parts) && (signal.aborted || hasGotOn(window, walk))) return left(null);
    }
    return { toGoOnWith: [], error: null, pages };
  } catch (error) {
    if (signal.aborted && (error === signal.reason || error instanceof ServiceError)) return left(null);
    if (error instanceof ServiceError) return left(error);
    throw error;
  }
}

/** What of a page belongs to a window, and what has no time. */
function within(window: TimeRange, page: Page<TriggeredEvent>): Page<TriggeredEvent> {
  const belongs = isWithin(window);
  return { ...page, items: page.items.filter(belongs), unreadable: page.unreadable.filter(belongs) };
}

/** Whether the next try would not begin with the same pages. */
function hasGotOn(window: TimeRange, walk: ListWalk): boolean {
  const rest = leftOf(window, walk);
  return rest === null || lengthOf(rest) < lengthOf(window) || (hasNoOrder(walk) && halved(window).length > 1);
}

/** Of a list in no order two halves are left, or each try would be cut at the same place. */
function piecesToGoOnWith(window: TimeRange, walk: ListWalk): readonly TimeRange[] {
  const rest = leftOf(window, walk);
  if (rest === null) return [];
  return isOrdered(walk) ? [rest] : halved(rest);
}

function halved(window: TimeRange): readonly TimeRange[] {
  const parted = halves(window);
  return parted === null ? [window] : [parted.older, parted.newer];
}

type PinnedQuery = EventQuery & { readonly before: Date };

function queryOf({ from, to }: TimeRange, { channels }: RangeReading): PinnedQuery {
  return { after: from, before: to, limit: 50, ...(channels && { channels }) };
}

/**
 * What is wrong with the service as a whole, or null where an error may be about what was asked for. After the first one asks for a
 * moment at which there can be no event: a service that does not answer even that is in trouble.
 */
async function troubleBehind(error: ServiceError, failures: number, parts: Parts): Promise<ServiceError | null> {
  if (!mayBeAboutTheRequest(error.problem)) return error;
  if (failures > 0) return null;
  const { service, logger, now, signal } = parts;
  const moment = new Date(now().getTime() + DAY_MS);
  try {
    for await (const _ of service.eventPages({ after: moment, before: moment, limit: 1 }, { who: 'poller', signal }))
      break;
  } catch (trouble) {
    if (trouble instanceof ServiceError) return trouble;
    throw trouble;
  }
  const fields = { environment: error.environment, problem: error.problem.kind };
  logger.warn(fields, "part of the list couldn't be read, looking for what can be");
  return null;
}
