import { and, desc, eq, lte, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { fields } from '../service/schema.ts';
import { Count, type Db } from '../store/db.ts';
import { type FailureRow, failures } from './tables.ts';

/** A failure in the list of an incident's. */
export type ListedFailure = Pick<FailureRow, 'eventId' | 'transactionId' | 'subscriberId' | 'occurredAt'>;

export interface FailurePage {
  failures: readonly ListedFailure[];
  /** The newest failure of the first page: later ones don't shift the other pages. */
  upTo: number;
}

/** A page of an incident's failures, the newest first. `upTo`: as the first page said; null: it is the first. */
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
  /** This and the two after it are of their newest failure. */
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

/** A context, or where the mail goes. */
export interface AffectedLabel {
  label: string;
  subscribers: number;
}

const LabelRow = z.object({ label: z.string(), subscribers: Count });

export async function mostAffectedLabels(db: Db, incidentId: number, limit: number): Promise<readonly AffectedLabel[]> {
  return db.rows(
    LabelRow,
    sql`
      SELECT label, count(DISTINCT subscriber_id) AS subscribers
      FROM failures, unnest(array_append(contexts, domain)) AS label
      WHERE incident_id = ${incidentId}
        AND label IS NOT NULL
      GROUP BY 1
      ORDER BY 2 DESC, 1
      LIMIT ${limit}`,
  );
}
