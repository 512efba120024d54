import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, textList } from '../store/db.ts';

/** Characters of either end are compared, since event IDs begin alike. */
const ALIKE = 10;
/** How many of the newest failures are searched: no index finds the end of an ID. */
const MOST_SEARCHED = 20_000;

const SimilarRow = z.object({ environment: z.string(), transactionId: z.string() });
export type SimilarTransaction = z.output<typeof SimilarRow>;

/** Returns transactions of failures whose ID, with or without `txn_`, begins or ends like this one. */
export async function similarTransactions(
  db: Db,
  environments: readonly string[],
  id: string,
): Promise<SimilarTransaction[]> {
  const core = id.toLowerCase().replace(/^txn_/, '');
  if (core.length < ALIKE) return [];
  const [beginning, end] = [core.slice(0, ALIKE), core.slice(-ALIKE)];
  return db.rows(
    SimilarRow,
    sql`
      SELECT DISTINCT environment, transaction_id
      FROM (
        SELECT environment, transaction_id, event_id
        FROM failures
        ORDER BY seq DESC
        LIMIT ${MOST_SEARCHED}
      ) newest
      WHERE environment IN ${textList(environments)}
        AND (
          lower(left(regexp_replace(transaction_id, '^txn_', '', 'i'), ${ALIKE})) = ${beginning}
          OR ${end} IN (lower(right(transaction_id, ${ALIKE})), lower(right(event_id, ${ALIKE})))
        )
      LIMIT 3`,
  );
}
