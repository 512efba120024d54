import { max, min } from 'date-fns';
import { z } from 'zod';
import { asSpelled, filterConditions, filterValues } from '../lookups/filter-conditions.ts';
import type { Db } from '../store/db.ts';
import { Count, rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { failureFilterOf, type WatchFilter } from '../watches/settings.ts';
import { StoredVerdict } from './rows.ts';

/** What a filter covers of an incident's failures in one workflow; null: it was deleted. */
const MatchedRow = rowWith({
  incidentId: Count,
  workflow: z.string().nullable(),
  workflowName: z.string().nullable(),
  failures: Count,
  events: Count,
  subscribers: Count,
  firstAt: z.date(),
  lastAt: z.date(),
  newestSeq: Count,
  recordedAt: z.date(),
  critical: z.boolean(),
  verdicts: z.array(StoredVerdict),
  severities: z.array(z.string()),
});

export type Matched = z.output<typeof MatchedRow>;

/** Returns whether it covers all failures of the incidents of an environment that it is about. */
export function coversAll(filter: WatchFilter): boolean {
  const { environments: _, channels: __, providers: ___, ...narrow } = filter;
  return Object.values(narrow).every((names) => names.length === 0);
}

/** By workflow, the most failures first, each incident's after its `afterSeq`. Those without any are missing. */
export async function matchedIn(
  sql: Db,
  environment: string,
  incidents: readonly { readonly id: number; readonly afterSeq: number }[],
  filter: WatchFilter,
): Promise<ReadonlyMap<number, readonly Matched[]>> {
  if (incidents.length === 0) return new Map();
  const spelled = await asSpelled(sql, environment, failureFilterOf(filter));
  const rows = await sql.rows(MatchedRow, MATCHED, [jsonOf(incidents), ...filterValues(spelled)]);
  const matched = new Map<number, Matched[]>();
  for (const row of rows) matched.set(row.incidentId, [...(matched.get(row.incidentId) ?? []), row]);
  return matched;
}

/** OFFSET 0: each incident's failures are read by its index. */
const MATCHED = `
  SELECT i.id AS incident_id, sum.*
  FROM jsonb_to_recordset($1::jsonb) AS item (id bigint, "afterSeq" bigint) JOIN incidents i ON i.id = item.id
  CROSS JOIN LATERAL (
    SELECT workflow, max(workflow_name) AS workflow_name, count(*) AS failures, count(DISTINCT event_key) AS events,
      count(DISTINCT subscriber_id) AS subscribers, min(occurred_at) AS first_at, max(occurred_at) AS last_at, max(seq) AS newest_seq, max(recorded_at) AS recorded_at,
      bool_or(critical) AS critical, array_agg(DISTINCT verdict) AS verdicts,
      coalesce(array_agg(DISTINCT severity) FILTER (WHERE severity IS NOT NULL), '{}') AS severities
    FROM (SELECT * FROM failures WHERE incident_id = i.id AND seq > item."afterSeq" OFFSET 0) f WHERE ${filterConditions(2)}
    GROUP BY workflow
  ) sum ORDER BY sum.critical DESC, sum.failures DESC`;

export type MatchedSum = Omit<Matched, 'incidentId' | 'workflow' | 'workflowName'>;

/** Whoever is hit in several workflows counts in each. Undefined for none. */
export function sumOf(matched: readonly MatchedSum[]): MatchedSum | undefined {
  return matched.reduce<MatchedSum | undefined>((sum, row) => (sum === undefined ? row : plus(sum, row)), undefined);
}

function plus(sum: MatchedSum, row: MatchedSum): MatchedSum {
  return {
    failures: sum.failures + row.failures,
    events: sum.events + row.events,
    subscribers: sum.subscribers + row.subscribers,
    firstAt: min([sum.firstAt, row.firstAt]),
    lastAt: max([sum.lastAt, row.lastAt]),
    newestSeq: Math.max(sum.newestSeq, row.newestSeq),
    recordedAt: max([sum.recordedAt, row.recordedAt]),
    critical: sum.critical || row.critical,
    verdicts: [...new Set([...sum.verdicts, ...row.verdicts])],
    severities: [...new Set([...sum.severities, ...row.severities])],
  };
}
