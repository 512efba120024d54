import type { z } from 'zod';
import { type Failure, type Group, groupOf } from '../domain/failure.ts';
import { jsonOf, type Sql } from './database.ts';
import { countByMinute } from './group-counts.ts';
import { AddedRow, countInSpans, MOST_TOPICS } from './spans.ts';

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
  await countAnnounced(
    sql,
    environment,
    added.filter((failure) => failure.is_announced),
    now,
  );
  return added.length;
}

async function countAnnounced(
  sql: Sql,
  environment: string,
  announced: readonly z.output<typeof AddedRow>[],
  now: Date,
): Promise<void> {
  if (announced.length === 0) return;
  const seqs = jsonOf(announced.map((failure) => failure.seq));
  await countInSpans(sql, announced, now);
  await countByMinute(sql, seqs);
  await sql.write(COUNT_FAILED_EVENTS, [environment, seqs]);
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
    topics: failure.topics.slice(0, MOST_TOPICS),
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
    event_created_at, recorded_at, event_id, transaction_id, subscriber_id, severity, critical, topics)
  SELECT $1, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at,
    event_created_at, $3, event_id, transaction_id, subscriber_id, severity, critical, ARRAY(SELECT jsonb_array_elements_text(topics))
  FROM jsonb_to_recordset($2::jsonb) AS item (event_key text, job_id text, detail_id text, group_key text,
    is_announced boolean, verdict text, occurred_at timestamptz, event_created_at timestamptz, event_id text,
    transaction_id text, subscriber_id text, severity text, critical boolean, topics jsonb)
  ON CONFLICT DO NOTHING
  RETURNING seq, group_key, is_announced`;

/** An event counts with its first failure, and never again. The subquery stays one: joined, it would be read whole. */
const COUNT_FAILED_EVENTS = `
  WITH added AS (
    SELECT event_key, min(seq) OVER () AS first_seq
    FROM failures WHERE seq IN (SELECT value::bigint FROM jsonb_array_elements_text($2::jsonb))
  )
  UPDATE cursors SET failed_events = failed_events + (
    SELECT count(DISTINCT event_key) FROM added WHERE (
      SELECT count(*) FROM failures before WHERE before.environment = $1 AND before.event_key = added.event_key
        AND before.is_announced AND before.seq < added.first_seq
    ) = 0
  )
  WHERE environment = $1`;
