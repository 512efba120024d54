import { type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { z } from 'zod';
import { NO_REASON } from '../judging/cause.ts';
import type { Failure } from '../judging/failure.ts';
import { type StorableLabels, storableId, storableLabels } from '../judging/filter.ts';
import type { VerdictClass } from '../judging/verdict.ts';
import { inPieces } from '../lib/pauses.ts';
import { boundedId, maybeBoundedId, type StorableRow } from '../lib/text/shown-id.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db, idList, rowsOf, textList } from '../store/db.ts';
import { StoredVerdict } from './incident.ts';
import type { StoredFailure, UpdatedFailure } from './reconcile.ts';
import type { Addition } from './record.ts';
import type { FailureRow, IncidentRow } from './tables.ts';

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

export type NewFailureRow = StorableRow<Omit<FailureRow, 'seq' | 'environment'>> & { environment: string };

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

/** The columns of a failure that follow what the service says: a filter may match a label that came later. */
export const VALUE_NAMES = [
  'workflow',
  'workflowName',
  'verdict',
  'eventId',
  'transactionId',
  'subscriberId',
  'severity',
  'critical',
  'topics',
  'contexts',
  'tags',
  'domain',
] as const;

export type FailureValues = StorableRow<Pick<FailureRow, (typeof VALUE_NAMES)[number]>>;

/** A failure keeps so many labels of each kind: a filter is compared with each. */
const MOST_LABELS = 500;

/** Labels as they are stored, by the lists that an event has: scrubbing them for each of its failures would be slow. */
export type KnownLabels = Map<string, StorableLabels>;

function labelsOf({ topics, contexts, tags }: Failure, known: KnownLabels): StorableLabels {
  const most = (labels: readonly string[]) => labels.slice(0, MOST_LABELS);
  const lists = { topics: most(topics), contexts: most(contexts), tags: most(tags) };
  const key = JSON.stringify(lists);
  const labels = known.get(key) ?? storableLabels(lists);
  known.set(key, labels);
  return labels;
}

/** The columns of a failure. Its labels are taken from `known`, or added to it. */
export function failureValues(failure: Failure, known: KnownLabels): FailureValues {
  const { verdict, critical, subscriberId, workflowName } = failure;
  return {
    ...labelsOf(failure, known),
    verdict,
    critical,
    domain: maybeBoundedId(failure.domain),
    eventId: maybeBoundedId(failure.eventId),
    transactionId: boundedId(failure.transactionId),
    workflow: maybeBoundedId(failure.workflow),
    workflowName: workflowName === null ? null : storableId(workflowName),
    severity: maybeBoundedId(failure.severity),
    subscriberId: subscriberId === null ? null : storableId(subscriberId),
  };
}

/** The rows of failures that are to be added to an incident. */
export function newFailureRows(
  items: readonly Addition[],
  { id: incidentId, environment }: IncidentRow,
  { wordingIds, now }: { wordingIds: ReadonlyMap<string, number>; now: Date },
): NewFailureRow[] {
  const labels: KnownLabels = new Map();
  return items.map(({ failure, wordingKey, asOf, occurredAt, recordedAt }) => ({
    ...failureValues(failure, labels),
    environment,
    incidentId,
    wordingId: wordingIds.get(wordingKey) ?? null,
    eventKey: boundedId(failure.eventKey),
    jobId: boundedId(failure.jobId),
    provider: boundedId(failure.provider ?? ''),
    asOf,
    occurredAt,
    recordedAt: recordedAt ?? now,
    eventCreatedAt: failure.eventCreatedAt ?? occurredAt,
  }));
}
