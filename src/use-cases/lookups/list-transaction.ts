import { ServiceError } from '../../domain/errors.ts';
import { needsEyes } from '../../domain/lookups/outcome.ts';
import {
  type ListedEvent,
  listedEvent,
  type TransactionPage,
  type TransactionSlice,
} from '../../domain/lookups/transaction.ts';
import { keysOf } from '../../domain/polling/repeats.ts';
import { eventKey } from '../../domain/service/event.ts';
import { type Call, PAGE_SIZE } from '../../domain/service/query.ts';
import { judgeNow } from '../judge-now.ts';
import { beginSteps, withSteps } from '../with-steps.ts';
import { budget, type ReadTransactionParts } from './read-transaction.ts';

/** The page to show: `from` is the first event to look at, `limit` the number of rows. */
export interface TransactionPageRequest extends TransactionSlice {
  readonly limit: number;
}

const CALL: Call = { who: 'person' };

/**
 * Searches a transaction's events for the rows of a page, which is shorter if matches are rare. What was found before an error is returned
 * with it. Throws `ServiceError` if the first page of the service's list fails.
 */
export async function listTransaction(
  { transactionId, which, before, from, limit }: TransactionPageRequest,
  parts: ReadTransactionParts,
): Promise<TransactionPage> {
  const { service, now } = parts;
  const isSpent = budget(now);
  const steps = beginSteps();
  const first = Math.floor(from / PAGE_SIZE);
  const query = { transactionId, before, page: first, limit: PAGE_SIZE };
  const rows: Row[] = [];
  const earlier = new Set<string>();
  let page = first;
  let to = from;
  let unreadable = 0;
  const pageTo = (end: number, hasMore: boolean, trouble: ServiceError | null = null): TransactionPage => ({
    ...{ rows, to: end, hasMore, unreadable, trouble },
  });
  try {
    for await (const read of service.eventPages(query, CALL)) {
      const offset = page * PAGE_SIZE;
      const open = read.items
        .map((event, index) => ({ event, at: offset + index }))
        .filter(({ event, at }) => at >= from && !earlier.has(eventKey(event)));
      const looked = which === 'all' ? open.slice(0, limit - rows.length) : open;
      const events = await withSteps(
        looked.map(({ event }) => event),
        service,
        CALL,
        steps,
      );
      const listed = events.map((event) => listedEvent(event, judgeNow(event, parts)));
      const found = rowsOfPage(
        open.map(({ at }) => at),
        listed,
        which,
        limit - rows.length,
      );
      rows.push(...found.rows);
      unreadable += found.notShown;
      if (found.fullAt !== null) return pageTo(found.fullAt, true);
      unreadable += read.unreadable.filter(({ key }) => !earlier.has(key)).length;
      const keys = keysOf(read);
      if (keys.some((key) => !earlier.has(key))) to = Math.max(from, offset + keys.length);
      for (const key of keys) earlier.add(key);
      page += 1;
      if (read.hasMore && isSpent(page - first)) return pageTo(page * PAGE_SIZE, true);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || page === first) throw error;
    const isEndless = error.problem.kind === 'no-progress';
    return pageTo(isEndless ? to : page * PAGE_SIZE, !isEndless, error);
  }
  return pageTo(to, false);
}

type Row = TransactionPage['rows'][number];

interface RowsFound {
  readonly rows: readonly Row[];
  /** How many were left out because their outcome isn't shown. */
  readonly notShown: number;
  /** The first event that had no room; null if all were looked at. */
  readonly fullAt: number | null;
}

/** Returns the rows of events, whose indices in the list are `open`, until `room` is used up. Without its line an event has no room. */
function rowsOfPage(
  open: readonly number[],
  listed: readonly ListedEvent[],
  which: TransactionSlice['which'],
  room: number,
): RowsFound {
  const rows: Row[] = [];
  let notShown = 0;
  for (const [index, at] of open.entries()) {
    const one = listed[index];
    if (one === undefined || rows.length === room) return { rows, notShown, fullAt: at };
    if (which === 'all' || needsEyes(one.outcome)) rows.push({ ...one, at });
    else if (one.outcome === 'not-shown') notShown += 1;
  }
  return { rows, notShown, fullAt: null };
}
