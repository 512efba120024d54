import { z } from 'zod';
import type { Failure, Group } from '../../domain/failures/failure.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { NOTE_NAMES } from './failure-names.ts';

/** The most topics kept for a group; their number is otherwise unbounded. */
export const MOST_TOPICS = 500;

export interface GroupedFailure {
  readonly failure: Failure;
  readonly group: Group;
  readonly occurredAt: Date;
}

/** A failure that was not known before. Each `before` is the `seq` of the newest failure that existed before this page; 0: none. */
export interface AddedFailure extends GroupedFailure {
  readonly seq: number;
  /** Of the same event, among announced failures. */
  readonly eventBefore: number;
  /** Of the same event in the same group, and in any group of the incident. */
  readonly eventInGroupBefore: number;
  readonly eventInIncidentBefore: number;
  /** Of the same subscriber, in the same places. */
  readonly subscriberInGroupBefore: number;
  readonly subscriberInIncidentBefore: number;
}

const AddedRow = z.object({
  place: z.number(),
  seq: Count,
  event_before: Count,
  event_in_group_before: Count,
  event_in_incident_before: Count,
  subscriber_in_group_before: Count,
  subscriber_in_incident_before: Count,
});

export async function addFailures(
  sql: SqlRows,
  environment: string,
  failures: readonly GroupedFailure[],
  now: Date,
): Promise<AddedFailure[]> {
  const items = failures.map((one, place) => ({ place, ...itemOf(one, now) }));
  const added = await sql.rows(AddedRow, ADD, [environment, jsonOf(items), now]);
  return added.flatMap((row) => {
    const one = failures[row.place];
    return one === undefined ? [] : [addedOf(one, row)];
  });
}

function itemOf({ failure, group, occurredAt }: GroupedFailure, now: Date) {
  return {
    event_key: failure.eventKey,
    job_id: failure.jobId,
    detail_id: failure.detailId,
    group_key: group.key,
    is_announced: group.announcement === 'announced',
    verdict: failure.verdict,
    occurred_at: occurredAt,
    event_created_at: failure.eventCreatedAt ?? now,
    event_id: failure.eventId,
    transaction_id: failure.transactionId,
    subscriber_id: failure.subscriberId,
    severity: failure.severity,
    critical: failure.critical,
    topics: failure.topics.slice(0, MOST_TOPICS),
    contexts: failure.contexts.slice(0, MOST_TOPICS),
    tags: failure.tags.slice(0, MOST_TOPICS),
  };
}

function addedOf(one: GroupedFailure, row: z.output<typeof AddedRow>): AddedFailure {
  return {
    ...one,
    seq: row.seq,
    eventBefore: row.event_before,
    eventInGroupBefore: row.event_in_group_before,
    eventInIncidentBefore: row.event_in_incident_before,
    subscriberInGroupBefore: row.subscriber_in_group_before,
    subscriberInIncidentBefore: row.subscriber_in_incident_before,
  };
}

/** A statement doesn't see its own inserts: what its last part finds in `failures` was there before. */
const ADD = `
  WITH item AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS item (place integer, event_key text, job_id text, detail_id text,
      group_key text, is_announced boolean, verdict text, occurred_at timestamptz, event_created_at timestamptz,
      event_id text, transaction_id text, subscriber_id text, severity text, critical boolean, topics text[],
      contexts text[], tags text[])
  ), added AS (
    INSERT INTO failures (environment, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at,
      event_created_at, recorded_at, event_id, transaction_id, subscriber_id, severity, critical, topics, contexts, tags)
    SELECT $1, event_key, job_id, detail_id, group_key, is_announced, verdict, occurred_at,
      event_created_at, $3, event_id, transaction_id, subscriber_id, severity, critical, topics, contexts, tags
    FROM item ON CONFLICT DO NOTHING
    RETURNING seq, event_key, job_id, detail_id, group_key, subscriber_id
  ), named AS (${NOTE_NAMES}
  )
  SELECT DISTINCT ON (added.seq) added.seq, item.place, same_event.announced AS event_before,
    same_event.in_group AS event_in_group_before, same_event.in_incident AS event_in_incident_before,
    same_subscriber.in_group AS subscriber_in_group_before, same_subscriber.in_incident AS subscriber_in_incident_before
  FROM added JOIN item USING (event_key, job_id, detail_id) JOIN groups own ON own.key = added.group_key
  CROSS JOIN LATERAL (
    SELECT coalesce(max(f.seq) FILTER (WHERE f.is_announced), 0) AS announced,
      coalesce(max(f.seq) FILTER (WHERE f.group_key = own.key), 0) AS in_group,
      coalesce(max(f.seq) FILTER (WHERE g.incident_key = own.incident_key), 0) AS in_incident
    FROM failures f JOIN groups g ON g.key = f.group_key WHERE f.environment = $1 AND f.event_key = added.event_key
  ) same_event
  CROSS JOIN LATERAL (
    SELECT coalesce(max(last.seq) FILTER (WHERE g.key = own.key), 0) AS in_group, coalesce(max(last.seq), 0) AS in_incident
    FROM groups g CROSS JOIN LATERAL (
      SELECT max(f.seq) AS seq FROM failures f WHERE f.group_key = g.key AND f.subscriber_id = added.subscriber_id
    ) last
    WHERE g.incident_key = own.incident_key
  ) same_subscriber
  ORDER BY added.seq, item.place`;
