import { mayBeAboutTheRequest, ServiceError, type ServiceProblem } from '../../domain/errors.ts';
import type { Unchecked } from '../../domain/polling/gap.ts';
import { beginWalk, hasNoOrder, isOrdered, type ListWalk, leftOf, withPage } from '../../domain/polling/list-order.ts';
import { halves, lengthOf, padded, pageWithin } from '../../domain/polling/reading-windows.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { EventQuery, Page } from '../../domain/service/query.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import type { ReadingParts } from './record-events.ts';

export interface RangeReading {
  /** Reads only these channels. */
  readonly channels?: readonly string[];
  onPage(page: Page<TriggeredEvent>): Promise<void>;
  /** After this time, by the clock of `parts`, no further page is requested; the first always is. */
  readonly until: Date;
  /** Once the service has answered, a problem ends the reading with a remainder, not an error, so that a rate limit can't undo progress. */
  readonly keepsProgress?: true;
}

type Parts = Pick<ReadingParts, 'service' | 'logger' | 'now' | 'signal'>;

/** How many parts of a range can fail before the rest is left for later; each failure costs seconds of retries. */
const MOST_FAILURES = 32;

/** Used after a failure, because the service may be failing on the second of padding around a window. */
const LEAST_PADDING_MS = 1;

/**
 * Reads all that can be read of a range. If the service fails on a part but answers others, halves the part down to a second and reads what
 * is readable. Returns what was not read, including what time or the signal cut off, which depends on the order that the list has shown.
 * Throws `ServiceError` if the service can't be read at all or, without `keepsProgress`, stops answering.
 */
export async function readRange(range: TimeRange, reading: RangeReading, parts: Parts): Promise<Unchecked[]> {
  const unchecked: Unchecked[] = [];
  const waiting = [range];
  let failures = 0;
  let pages = 0;
  for (let window = waiting.pop(); window !== undefined; window = waiting.pop()) {
    const asked = failures === 0 ? padded(window) : padded(window, LEAST_PADDING_MS);
    const read = await readWindow(window, queryOf(asked, reading), reading, parts);
    const { remaining, error } = read;
    pages += read.pages;
    if (error === null) waiting.push(...remaining);
    else {
      const trouble = await troubleBehind(error, failures, parts);
      const hasAnswered = pages + failures > 0;
      if (trouble !== null && !(hasAnswered && reading.keepsProgress)) throw trouble;
      if (trouble !== null) return [...unchecked, ...left([...waiting, ...remaining], trouble.problem)];
      failures += 1;
      // The first failure may be about the padding around the window.
      const isParted = failures === 1 || remaining.length > 1;
      const pieces = isParted ? remaining : remaining.flatMap(halved);
      if (isParted || pieces.length > 1) waiting.push(...pieces);
      else unchecked.push(...left(pieces, error.problem));
      // All remaining windows are older still.
      if (!isParted && pieces.length === 1 && error.problem.kind === 'beyond-plan')
        return [...unchecked, ...left(waiting, error.problem)];
    }
    if (failures >= MOST_FAILURES || isOver(reading, parts)) return [...unchecked, ...left(waiting, null)];
  }
  return unchecked;
}

function left(windows: readonly TimeRange[], problem: ServiceProblem | null): Unchecked[] {
  return windows.map((window) => ({ window, problem }));
}

function isOver({ until }: RangeReading, { now, signal }: Pick<Parts, 'now' | 'signal'>): boolean {
  return signal.aborted || now() >= until;
}

/** `remaining`: what is left of a window, the oldest first; `error`: why, or null if time or the signal ended it. */
interface WindowRead {
  readonly remaining: readonly TimeRange[];
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
  const left = (error: ServiceError | null) => ({ remaining: remainingPieces(window, walk), error, pages });
  try {
    for await (const page of service.eventPages(query, { who: 'poller', signal })) {
      await reading.onPage(pageWithin(window, page));
      walk = withPage(walk, page);
      pages += 1;
      if (page.hasMore && isOver(reading, parts) && (signal.aborted || hasGotOn(window, walk))) return left(null);
    }
    return { remaining: [], error: null, pages };
  } catch (error) {
    if (signal.aborted && (error === signal.reason || error instanceof ServiceError)) return left(null);
    if (error instanceof ServiceError) return left(error);
    throw error;
  }
}

/** Returns whether the next attempt would start with different pages. */
function hasGotOn(window: TimeRange, walk: ListWalk): boolean {
  const rest = leftOf(window, walk);
  return rest === null || lengthOf(rest) < lengthOf(window) || (hasNoOrder(walk) && halved(window).length > 1);
}

/** Halves what is left of an unordered list; otherwise each attempt would be cut off at the same place. */
function remainingPieces(window: TimeRange, walk: ListWalk): readonly TimeRange[] {
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
 * Returns what is wrong with the service as a whole, or null if the error may be about the request. After the first error, requests a
 * moment that can have no events: a service that fails even on that has a general problem.
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
