import { ServiceError } from '../../domain/errors.ts';
import { needsEyes } from '../../domain/lookups/outcome.ts';
import { listedEvent, type TransactionPage, type TransactionSlice } from '../../domain/lookups/transaction.ts';
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
  const rows: TransactionPage['rows'][number][] = [];
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
      for (const [index, { at }] of open.entries()) {
        const event = events[index];
        if (event === undefined || rows.length === limit) return pageTo(at, true);
        const listed = listedEvent(event, judgeNow(event, parts));
        if (which === 'all' || needsEyes(listed.outcome)) rows.push({ ...listed, at });
        else if (listed.outcome === 'not-shown') unreadable += 1;
      }
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
