import { addHours } from 'date-fns';
import { judge } from '../../domain/failures/judge.ts';
import {
  addCounts,
  addToTally,
  emptyTally,
  type TransactionPosition,
  type TransactionTally,
} from '../../domain/lookups/transaction.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { type Call, type EventQuery, PAGE_SIZE, type Page } from '../../domain/service/query.ts';

export interface TransactionReader {
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
  /** Null if everything was read. */
  readonly next: TransactionPosition | null;
  /** The transaction's event if it has only one, and none that couldn't be read. */
  readonly only: TriggeredEvent | null;
}

/** Reads a transaction's events, newest first, from a position (null: the start). Throws `ServiceError`. */
export async function readTransaction(
  transactionId: string,
  position: TransactionPosition | null,
  { service, now }: ReadTransactionParts,
): Promise<TransactionRead> {
  const start = position ?? beginning(now());
  const isSpent = budget(now);
  let { page } = start;
  let tally = emptyTally(transactionId);
  let only: TriggeredEvent | null = null;
  for await (const read of service.eventPages(queryOf(transactionId, start), CALL)) {
    page += 1;
    for (const event of read.items) {
      only = tally.events === 0 && position === null ? event : null;
      tally = addToTally(tally, event, judge(event, now()));
    }
    tally = { ...tally, unreadable: tally.unreadable + read.unreadable.length };
    if (read.hasMore && isSpent(page - start.page)) {
      return { tally, start, next: { ...start, page, counts: addCounts(start.counts, tally.counts) }, only: null };
    }
  }
  return { tally, start, next: null, only: tally.unreadable === 0 ? only : null };
}

/** Starts a little in the future, since the service's clock may be ahead of ours. */
function beginning(now: Date): TransactionPosition {
  return { before: addHours(now, 1), page: 0, counts: {} };
}

function queryOf(transactionId: string, { before, page }: { readonly before: Date; readonly page: number }) {
  return { transactionId, before, page, limit: PAGE_SIZE };
}

/** Returns a check, by the number of pages read, for whether a reading that begins now has used up its budget. */
export function budget(now: () => Date): (pages: number) => boolean {
  const startedAt = now().getTime();
  return (pages) => pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS;
}
