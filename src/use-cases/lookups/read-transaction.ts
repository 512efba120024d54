import { ServiceError } from '../../domain/errors.ts';
import {
  addCounts,
  addToTally,
  emptyTally,
  type TransactionPosition,
  type TransactionTally,
} from '../../domain/lookups/transaction.ts';
import { listEnd } from '../../domain/polling/reading.ts';
import { keysOf, withoutRepeats } from '../../domain/polling/repeats.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { type Call, type EventQuery, PAGE_SIZE, type Page, type ServiceTime } from '../../domain/service/query.ts';
import { judgeNow } from '../judge-now.ts';
import { beginSteps, type StepsReader, withSteps } from '../with-steps.ts';

export interface TransactionReader extends StepsReader, ServiceTime {
  /** Yields the pages of the event list from `page` on, which counts from 0. */
  eventPages(
    query: EventQuery & { readonly before: Date; readonly page?: number },
    call: Call,
  ): AsyncIterable<Page<TriggeredEvent>>;
}

export interface ReadTransactionParts {
  readonly service: TransactionReader;
  readonly now: () => Date;
}

/** The most pages of fifty, and the longest time, for reading a transaction's events; the answer says if that didn't cover them all. */
const MOST_PAGES = 40;
const LONGEST_READING_MS = 10_000;

const CALL: Call = { who: 'person' };

/** What one pass read of a transaction. */
export interface TransactionRead {
  readonly tally: TransactionTally;
  readonly start: TransactionPosition;
  /** Null if everything was read, or the service doesn't list more. */
  readonly next: TransactionPosition | null;
  /** The transaction's event if it has only one, and none that couldn't be read. */
  readonly only: TriggeredEvent | null;
  /** The error that ended the pass after its first page. */
  readonly trouble: ServiceError | null;
}

/** Reads a transaction's events, newest first, from a position (null: the start). Throws `ServiceError` if the first page fails. */
export async function readTransaction(
  transactionId: string,
  position: TransactionPosition | null,
  parts: ReadTransactionParts,
): Promise<TransactionRead> {
  const { service, now } = parts;
  const start = position ?? beginning(listEnd(now(), service.clockAheadMs()));
  const isSpent = budget(now);
  const steps = beginSteps();
  const earlier = new Set<string>();
  let { page } = start;
  let tally = emptyTally(transactionId);
  let only: TriggeredEvent | null = null;
  const partRead = (trouble: ServiceError | null): TransactionRead => {
    const next = { ...start, page, counts: addCounts(start.counts, tally.counts) };
    const unreadable = start.unreadable + tally.unreadable;
    return { tally, start, next: isEndless(trouble) ? null : { ...next, unreadable }, only: null, trouble };
  };
  try {
    for await (const read of service.eventPages(queryOf(transactionId, start), CALL)) {
      const { items, unreadable } = withoutRepeats(read, earlier);
      for (const event of await withSteps(items, service, CALL, steps)) {
        only = tally.events === 0 && position === null ? event : null;
        tally = addToTally(tally, event, judgeNow(event, parts));
      }
      tally = { ...tally, unreadable: tally.unreadable + unreadable.length };
      for (const key of keysOf(read)) earlier.add(key);
      page += 1;
      if (read.hasMore && isSpent(page - start.page)) return partRead(null);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || page === start.page) throw error;
    return partRead(error);
  }
  return { tally, start, next: null, only: tally.unreadable === 0 ? only : null, trouble: null };
}

function beginning(before: Date): TransactionPosition {
  return { before, page: 0, counts: {}, unreadable: 0 };
}

/** Returns whether a list repeats its pages: reading on would count them again. */
function isEndless(trouble: ServiceError | null): boolean {
  return trouble?.problem.kind === 'no-progress';
}

function queryOf(transactionId: string, { before, page }: { readonly before: Date; readonly page: number }) {
  return { transactionId, before, page, limit: PAGE_SIZE };
}

/** Returns a check, by the number of pages read, for whether a reading that begins now has used up its budget. */
function budget(now: () => Date): (pages: number) => boolean {
  const startedAt = now().getTime();
  return (pages) => pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS;
}
