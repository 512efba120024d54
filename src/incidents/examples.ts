import { inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Count, type Db, idList } from '../store/db.ts';
import type { Example } from './incident.ts';
import type { Matched } from './matched.ts';
import { failures } from './tables.ts';

const ExampleRow = z.object({
  incidentId: Count,
  eventId: z.string().nullable(),
  transactionId: z.string(),
  subscriberId: z.string().nullable(),
});

/** The newest failure of each incident; of what a filter `matched`, the newest that it covers. */
export async function examplesOf(
  db: Db,
  ids: readonly number[],
  matched: ReadonlyMap<number, { total: Matched }>,
): Promise<ReadonlyMap<number, Example>> {
  const covered = [...matched.values()].map(({ total }) => total.newestSeq);
  const others = ids.filter((id) => !matched.has(id));
  const newest = await db.select().from(failures).where(inArray(failures.seq, covered));
  const ofOthers = await db.rows(
    ExampleRow,
    sql`
      SELECT f.*
      FROM incidents i
      CROSS JOIN LATERAL (
        SELECT incident_id, event_id, transaction_id, subscriber_id
        FROM failures
        WHERE incident_id = i.id
        ORDER BY seq DESC
        LIMIT 1
      ) f
      WHERE i.id IN ${idList(others)}`,
  );
  return new Map(
    [...newest, ...ofOthers].map(({ incidentId, eventId, transactionId, subscriberId }) => [
      incidentId,
      { eventId, transactionId, subscriberId },
    ]),
  );
}
