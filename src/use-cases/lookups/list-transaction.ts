import { judge } from '../../domain/failures/judge.ts';
import {
  listedEvent,
  needsEyes,
  type TransactionPage,
  type TransactionSlice,
} from '../../domain/lookups/transaction.ts';
import { PAGE_SIZE } from '../../domain/service/query.ts';
import { budget, type ReadTransactionParts } from './read-transaction.ts';

/** The page to show: `from` is the first event to look at, `limit` the number of rows. */
export interface TransactionPageRequest extends TransactionSlice {
  readonly limit: number;
}

/** Searches a transaction's events for the rows of a page, which is shorter if matches are rare. Throws `ServiceError`. */
export async function listTransaction(
  { transactionId, which, before, from, limit }: TransactionPageRequest,
  { service, now }: ReadTransactionParts,
): Promise<TransactionPage> {
  const isSpent = budget(now);
  const first = Math.floor(from / PAGE_SIZE);
  const query = { transactionId, before, page: first, limit: PAGE_SIZE };
  const rows: TransactionPage['rows'][number][] = [];
  let page = first;
  for await (const { items, hasMore } of service.eventPages(query, { who: 'person' })) {
    const offset = page * PAGE_SIZE;
    for (const [index, event] of items.entries()) {
      const at = offset + index;
      if (at < from) continue;
      if (rows.length === limit) return { rows, to: at, hasMore: true };
      const listed = listedEvent(event, judge(event, now()));
      if (which === 'all' || needsEyes(listed.verdict)) rows.push({ ...listed, at });
    }
    page += 1;
    if (!hasMore) return { rows, to: offset + items.length, hasMore };
    if (isSpent(page - first)) return { rows, to: page * PAGE_SIZE, hasMore };
  }
  return { rows, to: from, hasMore: false };
}
