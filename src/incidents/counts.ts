import { max, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { groupBy } from '../lib/group-by.ts';
import { inPieces } from '../lib/pauses.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { presentRead, type ReadState } from '../lib/time/service-clock.ts';
import { idsIn } from '../outbox/messages.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import type { WatchFilter } from '../watches/settings.ts';
import { filterConditions, filterValues } from './filter-conditions.ts';
import { type IncidentRow, StoredVerdict } from './incident.ts';

export const SHARE_MS = 5 * MINUTE_MS;

type AttemptsWindow = ReturnType<typeof shareWindow>;

export function shareWindow(row: IncidentRow & ReadState, now: Date) {
  const { id, environment, channel, provider, startedAt, lastAt } = row;
  const to = max([presentRead(row, now), lastAt]);
  const from = max([startedAt, subMilliseconds(to, SHARE_MS)]);
  return { id, environment, channel, provider: provider ?? '', from, to };
}

const TriedRow = z.object({ id: Count, since: z.date(), workflow: z.string(), failed: Count, tried: Count });

const MOST_COUNTED = 100;
const COUNTED_A_TURN = 20;

/** Counts since the last failure that followed `calmMs` without one: the outbreak at the window's end. Only the first MOST_COUNTED are counted: each is compared with all others at its provider. */
export async function countAttempts(
  db: Db,
  windows: readonly AttemptsWindow[],
  calmMs: number = MINUTE_MS,
): Promise<ReadonlyMap<number, ReturnType<typeof triedIn>>> {
  const counted = new Map<number, ReturnType<typeof triedIn>>();
  for await (const some of inPieces(windows.slice(0, MOST_COUNTED), COUNTED_A_TURN)) {
    const rows = groupBy(await db.rows(TriedRow, TRIED, [jsonOf(some), calmMs]), ({ id }) => id);
    for (const window of some) counted.set(window.id, triedIn(window, rows.get(window.id) ?? []));
  }
  return counted;
}

function triedIn({ from }: AttemptsWindow, rows: readonly z.output<typeof TriedRow>[]) {
  const sumOf = (count: 'failed' | 'tried') => rows.reduce((sum, row) => sum + row[count], 0);
  const total = { since: rows[0]?.since ?? from, failed: sumOf('failed'), tried: sumOf('tried') };
  return { total, byWorkflow: new Map(rows.map(({ workflow, failed, tried }) => [workflow, { failed, tried }])) };
}

/** Deliveries are counted by the minute. Before version 18, PostgreSQL reaches a key's minutes only by named workflows. */
const TRIED = `
  WITH item AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS item (id bigint, environment text, channel text, provider text, "from" timestamptz, "to" timestamptz)
  ), recent AS MATERIALIZED (
    SELECT place.environment, place.channel, place.provider, o.last_recorded_at, f.incident_id, f.workflow, f.occurred_at
    FROM (
      SELECT environment, channel, provider, min("from") AS "from", max("to") AS "to" FROM item GROUP BY 1, 2, 3
    ) place
    JOIN incidents o ON o.environment = place.environment AND o.channel = place.channel
      AND coalesce(o.provider, '') = place.provider
      AND o.announcement = 'announced' AND o.last_at >= place."from" AND o.last_recorded_at >= place."from"
    JOIN failures f ON f.incident_id = o.id AND f.occurred_at BETWEEN place."from" AND place."to"
  )
  SELECT item.id, began.at AS since, tried.workflow, sum(tried.failed) AS failed, sum(tried.failed + tried.others) AS tried
  FROM item
  CROSS JOIN (SELECT $2 * interval '1 millisecond' AS length) calm
  CROSS JOIN LATERAL (
    SELECT GREATEST(item."from", max(occurred_at) FILTER (WHERE before IS NULL OR occurred_at - before >= calm.length)) AS at FROM (
      SELECT occurred_at, lag(occurred_at) OVER (ORDER BY occurred_at) AS before FROM failures
      WHERE incident_id = item.id AND occurred_at BETWEEN item."from" - calm.length AND item."to") f
  ) began
  CROSS JOIN LATERAL (
    SELECT coalesce(workflow, '') AS workflow, count(*) AS failed, 0 AS others FROM failures
    WHERE incident_id = item.id AND occurred_at BETWEEN began.at AND item."to" GROUP BY 1
    UNION ALL
    SELECT workflow, 0, sum(successes) FROM success_counts s
    WHERE s.environment = item.environment AND s.channel = item.channel AND s.provider = item.provider
      AND s.workflow = ANY (ARRAY(SELECT identifier FROM workflows k WHERE k.environment = item.environment) || '{""}'::text[])
      AND last_at >= began.at AND minute BETWEEN began.at - interval '1 minute' AND item."to" GROUP BY 1
    UNION ALL
    SELECT coalesce(r.workflow, ''), 0, count(*) FROM recent r
    WHERE r.environment = item.environment AND r.channel = item.channel AND r.provider = item.provider
      AND r.incident_id <> item.id AND r.last_recorded_at >= began.at
      AND r.occurred_at BETWEEN began.at AND item."to" GROUP BY 1
  ) tried GROUP BY 1, 2, 3`;

const WentThroughRow = z.object({ id: Count, successes: Count });

/** Which deliveries `s` are of an incident `i`. */
export const IS_SUCCESS = `s.environment = i.environment AND s.channel = i.channel AND s.provider = coalesce(i.provider, '')
  AND NOT i.is_recipients AND s.workflow IN (SELECT workflow FROM incident_workflows WHERE incident_id = i.id)`;

/** Deliveries since each incident's last failure, while it may be recovering. */
export async function wentThrough(db: Db, ids: readonly number[]) {
  const rows = await db.rows(WentThroughRow, WENT_THROUGH, [jsonOf(ids)]);
  return new Map(rows.map(({ id, successes }) => [id, successes]));
}

const WENT_THROUGH = `
  SELECT i.id, sum(s.successes) AS successes FROM incidents i JOIN success_counts s ON ${IS_SUCCESS} AND s.minute > i.last_at
  WHERE i.id IN ${idsIn('$1')} AND i.state IN ('recovering', 'unconfirmed') GROUP BY i.id`;

const MatchedRow = z.object({
  ...fields(Count, 'incidentId', 'failures', 'subscribers', 'newestSeq'),
  ...fields(z.date(), 'firstAt', 'lastAt'),
  ...fields(z.boolean(), 'isTotal', 'critical'),
  ...fields(z.string().nullable(), 'workflow', 'workflowName'),
  verdicts: z.array(StoredVerdict),
});

export type Matched = z.output<typeof MatchedRow>;

export type MatchedIncident = { total: Matched; workflows: readonly Matched[] };

export async function matchedIn(
  db: Db,
  environment: string,
  incidents: readonly { id: number; afterSeq: number; since?: Date }[],
  filter: WatchFilter,
): Promise<ReadonlyMap<number, MatchedIncident>> {
  if (incidents.length === 0) return new Map();
  const values = await filterValues(db, environment, filter);
  const rows = await db.rows(MatchedRow, MATCHED, [jsonOf(incidents), ...values]);
  const totals = rows.filter(({ isTotal }) => isTotal);
  const workflows = groupBy(
    rows.filter(({ isTotal }) => !isTotal),
    ({ incidentId }) => incidentId,
  );
  return new Map(
    totals.map((total) => [total.incidentId, { total, workflows: workflows.get(total.incidentId) ?? [] }]),
  );
}

export const SUMS = `
  count(*) AS failures, min(occurred_at) AS first_at, max(occurred_at) AS last_at, max(seq) AS newest_seq, bool_or(critical) AS critical,
  array_agg(DISTINCT verdict) AS verdicts, coalesce(array_agg(DISTINCT severity) FILTER (WHERE severity IS NOT NULL), '{}') AS severities`;

/** OFFSET 0 makes the planner read each incident's failures by its index. */
const MATCHED = `
  SELECT i.id AS incident_id, sum.*
  FROM jsonb_to_recordset($1::jsonb) AS item (id bigint, "afterSeq" bigint, since timestamptz) JOIN incidents i ON i.id = item.id
  CROSS JOIN LATERAL (
    SELECT GROUPING(workflow) = 1 AS is_total, workflow, max(workflow_name) AS workflow_name,
      count(DISTINCT subscriber_id) AS subscribers, ${SUMS}
    FROM (
      SELECT * FROM failures WHERE incident_id = i.id AND seq > item."afterSeq" AND recorded_at >= coalesce(item.since, '-infinity') OFFSET 0
    ) f WHERE ${filterConditions(2)}
    GROUP BY GROUPING SETS ((workflow), ()) HAVING count(*) > 0
  ) sum ORDER BY sum.critical DESC, sum.failures DESC`;
