import { and, desc, eq, lte, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { fields } from '../service/schema.ts';
import { Count, type Db } from '../store/db.ts';
import { type FailureRow, failures } from './tables.ts';

export type ListedFailure = Pick<FailureRow, 'eventId' | 'transactionId' | 'subscriberId' | 'occurredAt'>;

export interface FailurePage {
  failures: readonly ListedFailure[];
  /** What the first page returned, so that later failures don't shift the others. */
  upTo: number;
}

export async function failuresOf(
  db: Db,
  incidentId: number,
  { upTo, offset, limit }: { upTo: number | null; offset: number; limit: number },
): Promise<FailurePage> {
  const isOf = eq(failures.incidentId, incidentId);
  const [newest] =
    upTo === null
      ? await db
          .select({ seq: max(failures.seq) })
          .from(failures)
          .where(isOf)
      : [];
  const last = upTo ?? newest?.seq ?? 0;
  const page = await db
    .select()
    .from(failures)
    .where(and(isOf, lte(failures.seq, last)))
    .orderBy(desc(failures.occurredAt), failures.seq)
    .limit(limit)
    .offset(offset);
  const listed = page.map(({ eventId, transactionId, subscriberId, occurredAt }) => {
    return { eventId, transactionId, subscriberId, occurredAt };
  });
  return { failures: listed, upTo: last };
}

/** A person whom an incident hit. */
export interface Affected {
  subscriberId: string;
  failures: number;
  firstSeen: Date;
  lastSeen: Date;
  workflow: string;
  transactionId: string;
  contexts: string;
}

const AffectedRow = z.object({
  ...fields(z.string(), 'subscriberId', 'workflow', 'transactionId', 'contexts'),
  failures: Count,
  ...fields(z.date(), 'firstSeen', 'lastSeen'),
});

export async function mostAffected(db: Db, incidentId: number, limit: number): Promise<readonly Affected[]> {
  return db.rows(
    AffectedRow,
    sql`
      SELECT
        subscriber_id,
        count(*) AS failures,
        min(occurred_at) AS first_seen,
        max(occurred_at) AS last_seen,
        coalesce((array_agg(workflow ORDER BY seq DESC))[1], 'deleted workflow') AS workflow,
        (array_agg(transaction_id ORDER BY seq DESC))[1] AS transaction_id,
        (array_agg(array_to_string(contexts, ' ') ORDER BY seq DESC))[1] AS contexts
      FROM failures
      WHERE incident_id = ${incidentId}
        AND subscriber_id IS NOT NULL
      GROUP BY subscriber_id
      ORDER BY failures DESC, last_seen DESC, subscriber_id
      LIMIT ${limit}`,
  );
}

export interface AffectedContext {
  context: string;
  subscribers: number;
}

const ContextRow = z.object({ context: z.string(), subscribers: Count });

export async function mostAffectedContexts(
  db: Db,
  incidentId: number,
  limit: number,
): Promise<readonly AffectedContext[]> {
  return db.rows(
    ContextRow,
    sql`
      SELECT context, count(DISTINCT subscriber_id) AS subscribers
      FROM failures, unnest(contexts) AS context
      WHERE incident_id = ${incidentId}
      GROUP BY 1
      ORDER BY 2 DESC, 1
      LIMIT ${limit}`,
  );
}
