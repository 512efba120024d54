import { type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { z } from 'zod';
import { NO_REASON } from '../judging/cause.ts';
import type { VerdictClass } from '../judging/verdict.ts';
import { inPieces } from '../lib/pauses.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db, idList, rowsOf, textList } from '../store/db.ts';
import { type NewFailureRow, VALUE_NAMES } from './failure-values.ts';
import { StoredVerdict } from './incident.ts';
import type { StoredFailure, UpdatedFailure } from './reconcile.ts';

const Text = z.string().nullable();

/** One event can fail thousands of times, and a statement takes longer than so many rows do one by one. */
export const ROWS_A_TURN = 100;
const STORED_A_TURN = 500;

/** All columns, in the order in which they are inserted. */
const FailureColumns = z.object({
  ...fields(z.string(), 'environment', 'eventKey', 'jobId', 'provider', 'transactionId'),
  ...fields(Count, 'seq', 'incidentId'),
  wordingId: Count.nullable(),
  ...fields(Text, 'workflow', 'workflowName', 'eventId', 'subscriberId', 'severity', 'domain'),
  verdict: StoredVerdict,
  ...fields(z.date(), 'asOf', 'occurredAt', 'eventCreatedAt', 'recordedAt'),
  critical: z.boolean(),
  ...fields(z.array(z.string()), 'topics', 'contexts', 'tags'),
});

const StoredRow = FailureColumns.extend({
  verdictClass: z.custom<VerdictClass>(),
  ...fields(z.boolean(), 'isTest', 'isUnexplained'),
  wordingKey: z.string(),
});

/** The stored failures of events, read page by page: an event can have thousands. */
export async function storedFailures(
  db: Db,
  environment: string,
  eventKeys: readonly string[],
): Promise<StoredFailure[]> {
  const stored: StoredFailure[] = [];
  for (;;) {
    const page = await db.rows(StoredRow, storedAfter(stored.at(-1)?.seq ?? 0, environment, eventKeys));
    stored.push(...page);
    if (page.length < STORED_A_TURN) return stored;
  }
}

/** OFFSET 0 makes the planner read the events' failures by their index. */
const storedAfter = (seq: number, environment: string, eventKeys: readonly string[]): SQL => sql`
  SELECT *
  FROM (
    SELECT
      f.*,
      i.verdict_class,
      i.is_test,
      w.key AS wording_key,
      f.verdict = 'stuck' OR w.cause_key = ${NO_REASON} AS is_unexplained
    FROM failures f
    JOIN incidents i ON i.id = f.incident_id
    JOIN LATERAL (
      SELECT key, cause_key
      FROM wordings
      WHERE incident_id = f.incident_id AND (f.wording_id IS NULL OR id = f.wording_id)
      ORDER BY id
      LIMIT 1
    ) w ON true
    WHERE f.environment = ${environment}
      AND f.event_key IN ${textList(eventKeys)}
    OFFSET 0
  ) stored
  WHERE seq > ${seq}
  ORDER BY seq
  LIMIT ${STORED_A_TURN}`;

const SeqRow = z.object({ seq: Count });

/** Returns the `seq` of those that weren't stored yet. */
export async function addFailures(tx: Db, added: readonly NewFailureRow[]): Promise<number[]> {
  const columns = sql.raw(
    Object.keys(FailureColumns.shape)
      .filter((name) => name !== 'seq')
      .map(toSnakeCase)
      .join(', '),
  );
  const rows = await tx.rows(
    SeqRow,
    sql`
      INSERT INTO failures (${columns})
      SELECT ${columns}
      FROM jsonb_populate_recordset(NULL::failures, ${rowsOf(added)}::jsonb)
      ON CONFLICT DO NOTHING
      RETURNING seq`,
  );
  return rows.map(({ seq }) => seq);
}

export async function updateFailures(tx: Db, updated: readonly UpdatedFailure[]): Promise<void> {
  const columns = VALUE_NAMES.map((name) => sql.identifier(toSnakeCase(name)));
  const assignments = columns.map((column) => sql`${column} = item.${column}`);
  for await (const piece of inPieces(updated, ROWS_A_TURN)) {
    const rows = piece.map(({ row, values, asOf }) => ({ ...row, ...values, asOf }));
    await tx.write(sql`
      UPDATE failures f
      SET as_of = item.as_of, ${sql.join(assignments, sql`, `)}
      FROM jsonb_populate_recordset(NULL::failures, ${rowsOf(rows)}::jsonb) item
      WHERE f.seq = item.seq`);
  }
}

export async function deleteFailures(tx: Db, removed: readonly { seq: number }[]): Promise<void> {
  for await (const piece of inPieces(removed, ROWS_A_TURN))
    await tx.write(sql`DELETE FROM failures WHERE seq IN ${idList(piece.map(({ seq }) => seq))}`);
}

/** These failures are worded so by now. */
export async function noteWording(tx: Db, seqs: readonly number[], wordingId: number): Promise<void> {
  for await (const piece of inPieces(seqs, ROWS_A_TURN))
    await tx.write(sql`UPDATE failures SET wording_id = ${wordingId} WHERE seq IN ${idList(piece)}`);
}
