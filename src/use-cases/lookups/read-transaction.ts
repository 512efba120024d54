import { ServiceError } from '../../domain/errors.ts';
import { addToTally, emptyTally, type TransactionTally } from '../../domain/lookups/transaction.ts';
import { listEnd } from '../../domain/polling/clock.ts';
import { keysOf, withoutRepeats } from '../../domain/polling/repeats.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { type Call, type EventQuery, PAGE_SIZE, type Page, type ServiceTime } from '../../domain/service/query.ts';
import { judgeNow } from '../judge-now.ts';
import { beginSteps, type StepsReader, withSteps } from '../with-steps.ts';

export interface TransactionReader extends StepsReader, ServiceTime {
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
}

export interface ReadTransactionParts {
  readonly service: TransactionReader;
  readonly now: () => Date;
}

/** The most pages of fifty, and the longest time, for reading a transaction's events; the answer says if that didn't cover them all. */
const MOST_PAGES = 40;
const LONGEST_READING_MS = 10_000;

const CALL: Call = { who: 'person' };

export interface TransactionRead {
  readonly tally: TransactionTally;
  readonly isAll: boolean;
  /** The transaction's event if it has only one, and none that couldn't be read. */
  readonly only: TriggeredEvent | null;
  readonly trouble: ServiceError | null;
}

/** Reads a transaction's events, the newest first. Throws `ServiceError` if the first page fails. */
export async function readTransaction(transactionId: string, parts: ReadTransactionParts): Promise<TransactionRead> {
  const { service, now } = parts;
  const isSpent = budget(now);
  const steps = beginSteps();
  const earlier = new Set<string>();
  // Pinned, so that what is added meanwhile moves no page.
  const query = { transactionId, before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  let pages = 0;
  let tally = emptyTally(transactionId);
  let only: TriggeredEvent | null = null;
  try {
    for await (const read of service.eventPages(query, CALL)) {
      const { items, unreadable } = withoutRepeats(read, earlier);
      for (const event of await withSteps(items, service, CALL, steps)) {
        only = tally.events === 0 ? event : null;
        tally = addToTally(tally, event, judgeNow(event, parts));
      }
      tally = { ...tally, unreadable: tally.unreadable + unreadable.length };
      for (const key of keysOf(read)) earlier.add(key);
      pages += 1;
      if (read.hasMore && isSpent(pages)) return { tally, isAll: false, only: null, trouble: null };
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || pages === 0) throw error;
    return { tally, isAll: false, only: null, trouble: error };
  }
  return { tally, isAll: true, only: tally.unreadable === 0 ? only : null, trouble: null };
}

function budget(now: () => Date): (pages: number) => boolean {
  const startedAt = now().getTime();
  return (pages) => pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS;
}
