import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { FailureFilter } from '../judging/filter.ts';
import type { RecordedVerdict } from '../judging/verdict.ts';
import { groupBy } from '../lib/group-by.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { isCovered, spelledFilter } from './filter-conditions.ts';
import { StoredVerdict } from './incident.ts';

/** The failures of an outbreak that a filter covers, or those of one of its workflows. */
export interface Matched {
  incidentId: number;
  workflow: string | null;
  workflowName: string | null;
  failures: number;
  subscribers: number;
  firstAt: Date;
  lastAt: Date;
  newestSeq: number;
  /** When the newest of them was recorded. */
  recordedAt: Date;
  critical: boolean;
  verdicts: readonly RecordedVerdict[];
}

/** What a filter covers of an incident. */
export interface MatchedIncident {
  total: Matched;
  workflows: readonly Matched[];
}

/** A part of an incident's failures. */
export interface MatchedRange {
  /** The incident's number. */
  id: number;
  /** By the service's clock, before `to`; null: without end. */
  from: Date | null;
  to: Date | null;
  /** Only those that were recorded since. */
  recordedSince?: Date;
}

const MatchedRow = z.object({
  ...fields(Count, 'incidentId', 'failures', 'subscribers', 'newestSeq'),
  ...fields(z.date(), 'firstAt', 'lastAt', 'recordedAt'),
  ...fields(z.boolean(), 'isTotal', 'critical'),
  ...fields(z.string().nullable(), 'workflow', 'workflowName'),
  verdicts: z.array(StoredVerdict),
});

/** Returns by incidents' numbers what the filter covers of them. An incident without a failure that the filter covers is missing. */
export async function matchedIn(
  db: Db,
  environment: string,
  ranges: readonly MatchedRange[],
  filter: FailureFilter,
): Promise<ReadonlyMap<number, MatchedIncident>> {
  if (ranges.length === 0) return new Map();
  const spelled = await spelledFilter(db, environment, filter);
  // OFFSET 0 makes the planner read each incident's failures by its index.
  const rows = await db.rows(
    MatchedRow,
    sql`
      SELECT i.id AS incident_id, sum.*
      FROM jsonb_to_recordset(${jsonOf(ranges)}::jsonb)
        AS item (id bigint, "from" timestamptz, "to" timestamptz, "recordedSince" timestamptz)
      JOIN incidents i ON i.id = item.id
      CROSS JOIN LATERAL (
        SELECT
          GROUPING(workflow) = 1 AS is_total,
          workflow,
          max(workflow_name) AS workflow_name,
          count(*) AS failures,
          count(DISTINCT subscriber_id) AS subscribers,
          min(occurred_at) AS first_at,
          max(occurred_at) AS last_at,
          max(seq) AS newest_seq,
          max(recorded_at) AS recorded_at,
          bool_or(critical) AS critical,
          array_agg(DISTINCT verdict) AS verdicts
        FROM (
          SELECT *
          FROM failures
          WHERE incident_id = i.id
            AND occurred_at >= coalesce(item."from", '-infinity')
            AND occurred_at < coalesce(item."to", 'infinity')
            AND recorded_at >= coalesce(item."recordedSince", '-infinity')
          OFFSET 0
        ) f
        WHERE ${isCovered(spelled)}
        GROUP BY GROUPING SETS ((workflow), ())
        HAVING count(*) > 0
      ) sum
      ORDER BY sum.critical DESC, sum.failures DESC`,
  );
  const byId = groupBy(rows, ({ incidentId }) => incidentId);
  return new Map(
    [...byId].flatMap(([id, here]) => {
      const total = here.find(({ isTotal }) => isTotal);
      return total === undefined ? [] : [[id, { total, workflows: here.filter(({ isTotal }) => !isTotal) }] as const];
    }),
  );
}
