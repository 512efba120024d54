import { type SQL, sql } from 'drizzle-orm';
import { type Db, idList, rowsOf } from '../store/db.ts';

/** An outbreak `o` counts the failures `f` of its range of time. */
export const IS_OF_OUTBREAK: SQL = sql`f.incident_id = o.incident_id
  AND f.occurred_at >= coalesce(o.covers_from, '-infinity')
  AND f.occurred_at < coalesce(o.covers_to, 'infinity')`;

/** What failures `f` amount to. */
const SUMS: SQL = sql`
  count(f.seq) AS failures,
  min(f.occurred_at) AS first_at,
  max(f.occurred_at) AS last_at,
  coalesce(bool_or(f.critical), false) AS critical,
  array_agg(DISTINCT f.verdict) AS verdicts,
  coalesce(array_agg(DISTINCT f.severity) FILTER (WHERE f.severity IS NOT NULL), '{}') AS severities`;

/** Counts the failures that were added with these `seqs`, in their incidents, outbreaks and workflows. The incidents get this `version`. */
export async function countAdded(tx: Db, seqs: readonly number[], version: number, now: Date): Promise<void> {
  if (seqs.length === 0) return;
  await addToIncidents(tx, seqs, version, now);
  await addToOutbreaks(tx, seqs, now);
  await tx.write(sql`
    ${countWorkflows(sql`f.seq IN ${idList(seqs)}`)}
    ON CONFLICT (incident_id, outbreak, workflow) DO UPDATE
    SET
      failures = w.failures + EXCLUDED.failures,
      critical = w.critical OR EXCLUDED.critical,
      last_failed_at = GREATEST(w.last_failed_at, EXCLUDED.last_failed_at),
      successes_needed = NULL`);
}

async function addToIncidents(tx: Db, seqs: readonly number[], version: number, now: Date): Promise<void> {
  await tx.write(sql`
    UPDATE incidents i
    SET
      version = ${version},
      last_recorded_at = GREATEST(i.last_recorded_at, ${now}),
      first_at = LEAST(i.first_at, sum.first_at),
      last_at = GREATEST(i.last_at, sum.last_at)
    FROM (SELECT f.incident_id, ${SUMS} FROM failures f WHERE f.seq IN ${idList(seqs)} GROUP BY f.incident_id) sum
    WHERE i.id = sum.incident_id`);
}

/** A subscriber is new to an outbreak if none of its failures before was theirs. A beginning that people know stays, also if an earlier failure is found. */
async function addToOutbreaks(tx: Db, seqs: readonly number[], now: Date): Promise<void> {
  // Without OFFSET 0, the planner reads the whole incident for each failure.
  await tx.write(sql`
    UPDATE outbreaks o
    SET
      failures = o.failures + sum.failures,
      subscribers = o.subscribers + CASE WHEN o.is_at_least THEN 0 ELSE sum.new_subscribers END,
      first_failed_at = LEAST(o.first_failed_at, sum.first_at),
      last_failed_at = GREATEST(o.last_failed_at, sum.last_at),
      began_at = CASE WHEN o.is_published THEN o.began_at ELSE LEAST(o.began_at, sum.first_at) END,
      critical_since = CASE WHEN sum.critical THEN coalesce(o.critical_since, ${now}) ELSE o.critical_since END,
      verdicts = ARRAY(SELECT DISTINCT unnest(o.verdicts || sum.verdicts)),
      severities = ARRAY(SELECT DISTINCT unnest(o.severities || sum.severities))
    FROM (
      SELECT f.incident_id, f.outbreak, count(DISTINCT f.subscriber_id) FILTER (WHERE f.is_new) AS new_subscribers, ${SUMS}
      FROM (
        SELECT
          f.*,
          o.number AS outbreak,
          NOT EXISTS (
            SELECT FROM (
              SELECT * FROM failures e WHERE e.incident_id = f.incident_id AND e.subscriber_id = f.subscriber_id OFFSET 0
            ) e
            WHERE e.seq < ${Math.min(...seqs)}
              AND e.occurred_at >= coalesce(o.covers_from, '-infinity')
              AND e.occurred_at < coalesce(o.covers_to, 'infinity')
          ) AS is_new
        FROM failures f
        JOIN outbreaks o ON ${IS_OF_OUTBREAK}
        WHERE f.seq IN ${idList(seqs)}
      ) f
      GROUP BY f.incident_id, f.outbreak
    ) sum
    WHERE o.incident_id = sum.incident_id AND o.number = sum.outbreak`);
}

/** Counts failures `f` of outbreaks `o` by workflow. The caller adds what becomes of a workflow that has a row: ON CONFLICT. */
const countWorkflows = (condition: SQL): SQL => sql`
  INSERT INTO outbreak_workflows AS w (incident_id, outbreak, workflow, workflow_name, failures, critical, last_failed_at)
  SELECT f.incident_id, o.number, coalesce(f.workflow, ''), max(f.workflow_name), count(*), bool_or(f.critical), max(f.occurred_at)
  FROM failures f
  JOIN outbreaks o ON ${IS_OF_OUTBREAK}
  WHERE ${condition}
  GROUP BY f.incident_id, o.number, coalesce(f.workflow, '')`;

/** A failure, as far as it says which outbreak counts it. */
interface Counted {
  incidentId: number;
  occurredAt: Date;
}

/** Failures turned out to be none: their outbreaks lose as many, also those whose older failures were deleted. */
export async function countRemoved(tx: Db, removed: readonly Counted[]): Promise<void> {
  await tx.write(sql`
    UPDATE outbreaks o
    SET failures = GREATEST(0, o.failures - gone.failures)
    FROM (
      SELECT o.incident_id, o.number, count(*) AS failures
      FROM ${listed(removed)}
      JOIN outbreaks o ON ${IS_OF_OUTBREAK}
      GROUP BY o.incident_id, o.number
    ) gone
    WHERE o.incident_id = gone.incident_id AND o.number = gone.number`);
}

/** A table `f` of failures. */
function listed(counted: readonly Counted[]): SQL {
  const rows = counted.map(({ incidentId, occurredAt }) => ({ incidentId, occurredAt }));
  return sql`jsonb_to_recordset(${rowsOf(rows)}::jsonb) AS f (incident_id bigint, occurred_at timestamptz)`;
}

/**
 * Counts anew what can't be taken away from a sum, of the outbreaks that these failures belong or belonged to. Where older failures were deleted,
 * people and workflows stay as they were counted.
 */
export async function countAgain(tx: Db, changed: readonly Counted[], now: Date): Promise<void> {
  const affected = sql`(
    SELECT DISTINCT o.incident_id, o.number
    FROM ${listed(changed)}
    JOIN outbreaks o ON ${IS_OF_OUTBREAK}
  )`;
  await tx.write(sql`
    UPDATE outbreaks o
    SET
      is_at_least = o.is_at_least OR sum.failures < o.failures,
      subscribers = CASE WHEN sum.failures < o.failures THEN o.subscribers ELSE sum.subscribers END,
      critical_since = CASE
        WHEN sum.critical THEN coalesce(o.critical_since, ${now})
        WHEN sum.failures < o.failures THEN o.critical_since
      END,
      verdicts = CASE WHEN sum.failures BETWEEN 1 AND o.failures THEN sum.verdicts ELSE o.verdicts END,
      severities = CASE WHEN sum.failures BETWEEN 1 AND o.failures THEN sum.severities ELSE o.severities END
    FROM (
      SELECT o.incident_id, o.number, count(DISTINCT f.subscriber_id) AS subscribers, ${SUMS}
      FROM ${affected} changed
      JOIN outbreaks o USING (incident_id, number)
      LEFT JOIN failures f ON ${IS_OF_OUTBREAK}
      GROUP BY o.incident_id, o.number
    ) sum
    WHERE o.incident_id = sum.incident_id AND o.number = sum.number`);
  await tx.write(sql`
    DELETE FROM outbreak_workflows w
    USING ${affected} changed, outbreaks o
    WHERE w.incident_id = changed.incident_id AND w.outbreak = changed.number
      AND o.incident_id = changed.incident_id AND o.number = changed.number
      AND NOT o.is_at_least`);
  await tx.write(sql`
    ${countWorkflows(sql`NOT o.is_at_least AND (o.incident_id, o.number) IN ${affected}`)}
    ON CONFLICT DO NOTHING`);
}
