import { type Failure, type Group, groupOf } from '../domain/failure.ts';
import { jsonOf, type Sql } from './database.ts';
import { AddedRow, countInSpans } from './spans.ts';

/**
 * Writes failures down with their groups, and returns how many were not known before. One that is known stays as it is, in the group
 * that it came into, whatever has become of its verdict since.
 */
export async function recordFailures(
  sql: Sql,
  environment: string,
  failures: readonly Failure[],
  now: Date,
): Promise<number> {
  if (failures.length === 0) return 0;
  const grouped = failures.map((failure) => ({ failure, group: groupOf(environment, failure) }));
  const groups = new Map(grouped.map(({ group }) => [group.key, group]));
  await sql.write(ADD_GROUPS, [jsonOf([...groups.values()])]);
  const rows = grouped.map(({ failure, group }) => rowOf(failure, group, now));
  const added = await sql.rows(AddedRow, ADD_FAILURES, [environment, jsonOf(rows), now]);
  await countInSpans(sql, added, now);
  return added.length;
}

function rowOf(failure: Failure, group: Group, now: Date) {
  return {
    event_key: failure.eventKey,
    job_id: failure.jobId,
    detail_id: failure.detailId,
    group_key: group.key,
    is_announced: group.telling === 'announced',
    verdict: failure.verdict,
    occurred_at: failure.occurredAt ?? failure.eventCreatedAt ?? now,
    event_created_at: failure.eventCreatedAt ?? now,
    event_id: failure.eventId,
    transaction_id: failure.transactionId,
    subscriber_id: failure.subscriberId,
    severity: failure.severity,
    critical: failure.critical,
  };
}

const ADD_GROUPS = `
  INSERT INTO groups (key, environment, workflow, workflow_name, channel, provider, cause_text, cause_key, telling, is_test)
  SELECT key, environment, workflow, "workflowName", channel, provider, cause ->> 'text', cause ->> 'key', telling, "isTest"
  FROM jsonb_to_recordset($1::jsonb) AS item (key text, environment text, workflow text, "workflowName" text,
    channel text, provider text, cause jsonb, telling text, "isTest" boolean)
  ON CONFLICT (key) DO NOTHING`;

const ADD_FAILURES = `
  INSERT INTO failures (environment, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at,
    event_created_at, recorded_at, event_id, transaction_id, subscriber_id, severity, critical)
  SELECT $1, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at,
    event_created_at, $3, event_id, transaction_id, subscriber_id, severity, critical
  FROM jsonb_to_recordset($2::jsonb) AS item (event_key text, job_id text, detail_id text, group_key text,
    is_announced boolean, verdict text, occurred_at timestamptz, event_created_at timestamptz, event_id text,
    transaction_id text, subscriber_id text, severity text, critical boolean)
  ON CONFLICT DO NOTHING
  RETURNING seq, group_key, is_announced`;
