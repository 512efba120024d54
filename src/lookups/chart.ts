import { z } from 'zod';
import { ALL_FAILURES, type FailureFilter, FILTER_NAMES } from '../failures/filter.ts';
import { type CheckNow, type Freshness, freshnessAfter } from '../health/check.ts';
import { shownOf, uncheckedIn } from '../lib/time/coverage.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { uncheckedOf } from '../polling/gap.ts';
import { gapsIn } from '../polling/gaps.ts';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import {
  type Buckets,
  bucketsOf,
  type Counted,
  type CountedKind,
  divided,
  type Mark,
  MOST_SERIES,
} from './chart-points.ts';
import { coverageOf } from './failures.ts';
import { asSpelled, filterConditions, filterValues } from './filter-conditions.ts';

export type ChartSubject =
  | { readonly is: 'filter'; readonly filter: FailureFilter }
  | { readonly is: 'incident'; readonly incidentId: number };

export interface ChartRequest {
  readonly environment: string;
  readonly range: TimeRange;
  readonly subject: ChartSubject;
}

export interface Chart extends Pick<Counted, 'events' | 'unreadable' | 'marks'>, ReturnType<typeof divided> {
  readonly buckets: Buckets;
  /** Unchecked ranges: a count there is a lower bound. */
  readonly unchecked: readonly TimeRange[];
  readonly freshness: Freshness;
}

/** Without `checkNow` it's as of the last check. */
export async function chartFailures(
  { environment, range, subject }: ChartRequest,
  { db, checkNow }: { readonly db: Db; readonly checkNow: CheckNow | null },
): Promise<Chart> {
  const check = (await checkNow?.(environment)) ?? null;
  const coverage = await coverageOf(db, environment);
  const shown = shownOf(range, { coverage });
  const buckets = bucketsOf(shown);
  const gaps = await gapsIn(db, environment, shown);
  const { kinds, rest, ...counted } = await countedIn(db, environment, buckets, subject);
  return {
    ...counted,
    ...divided({ kinds, rest }),
    buckets,
    unchecked: uncheckedIn(shown, { coverage, gaps: gaps.flatMap((gap) => uncheckedOf(gap, shown.to)) }),
    freshness: freshnessAfter(check, coverage?.checkedAt ?? null),
  };
}

/** Without a key: the sum of those beyond the largest. */
const KindRow = z.object({
  key: z.string().nullable(),
  channel: z.string().nullable(),
  provider: z.string().nullable(),
  cause_text: z.string().nullable(),
  workflow: z.string().nullable(),
  /** By bucket. */
  counts: z.record(z.string(), z.number()),
});
const EventsRow = z.object({ events: Count, unreadable: Count });
const MarkRow: z.ZodType<Mark> = z.object({
  at: z.date(),
  kind: z.enum(['acknowledged', 'resolved', 'change', 'deploy']),
  name: z.string().nullable(),
});

export async function countedIn(
  database: Db,
  environment: string,
  buckets: Buckets,
  subject: ChartSubject,
): Promise<Counted> {
  const filter = await asSpelled(database, environment, subject.is === 'filter' ? subject.filter : ALL_FAILURES);
  const { from, to, bucketMs, count } = buckets;
  const incidentId = subject.is === 'incident' ? subject.incidentId : null;
  const span = [environment, from, to, bucketMs / 1000, count - 1, incidentId];
  const rows = await database.rows(KindRow, KINDS, [...span, ...filterValues(filter)]);
  const [checked] = await database.rows(EventsRow, EVENTS, [environment, from, to, jsonOf(filter.workflows)]);
  const largest = rows.flatMap(({ key }) => key ?? []).slice(0, MOST_SERIES);
  const marks = await database.rows(MarkRow, MARKS, [environment, from, to, jsonOf(largest)]);
  return {
    kinds: rows.flatMap((row) => countedOf(row, buckets)),
    rest: inBuckets(rows.find(({ key }) => key === null)?.counts ?? {}, buckets),
    events: checked?.events ?? 0,
    unreadable: checked?.unreadable ?? 0,
    marks: marks.toReversed(),
  };
}

function countedOf(row: z.output<typeof KindRow>, buckets: Buckets): CountedKind[] {
  const { key, channel, provider, cause_text: cause, workflow } = row;
  if (key === null || channel === null || cause === null) return [];
  return [{ channel, provider, cause, workflow, counts: inBuckets(row.counts, buckets) }];
}

function inBuckets(counts: Readonly<Record<string, number>>, { count }: Buckets): number[] {
  return Array.from({ length: count }, (_, bucket) => counts[bucket] ?? 0);
}

/** More kinds than a chart shows, because it sums them up by provider or cause. */
const MOST_KINDS = 100;

/** A time at the very end of the range belongs to the last bucket. */
const bucketOf = (moment: string) =>
  `LEAST(floor(extract(epoch FROM ${moment} - $2::timestamptz) / $4::float8)::integer, $5::integer)`;

const KINDS = `
  WITH counted AS (
    SELECT i.key || ' ' || coalesce(f.workflow, '') AS key, i.channel, i.provider, i.cause_text, f.workflow,
      ${bucketOf('f.occurred_at')} AS bucket, count(*) AS failures
    FROM failures f JOIN incidents i ON i.id = f.incident_id
    WHERE f.environment = $1 AND f.occurred_at BETWEEN $2 AND $3
      AND CASE WHEN $6::bigint IS NULL
        THEN i.announcement = 'announced' OR $${7 + FILTER_NAMES.indexOf('verdicts')}::jsonb <> '[]' ELSE i.id = $6 END
      AND ${filterConditions(7)}
    GROUP BY 1, 2, 3, 4, 5, 6
  ), sized AS (
    SELECT key, sum(failures) AS size FROM counted GROUP BY key
  ), largest AS (
    SELECT * FROM sized ORDER BY size DESC, key LIMIT ${MOST_KINDS}
  ), shown AS (
    SELECT l.key, l.size, c.bucket, sum(c.failures) AS failures, min(c.channel) AS channel, min(c.provider) AS provider,
      min(c.cause_text) AS cause_text, min(c.workflow) AS workflow
    FROM counted c LEFT JOIN largest l USING (key) GROUP BY 1, 2, 3
  )
  SELECT key, min(channel) AS channel, min(provider) AS provider, min(cause_text) AS cause_text, min(workflow) AS workflow,
    jsonb_object_agg(bucket, failures) AS counts
  FROM shown GROUP BY key, size ORDER BY size DESC NULLS LAST, key`;

/** The events of the requested workflows, by identifier or name, of all if none is requested; and the unreadable ones of whatever workflow. */
const EVENTS = `
  SELECT coalesce(sum(unreadable), 0)::bigint AS unreadable,
    coalesce(sum(events) FILTER (WHERE $4::jsonb = '[]' OR $4::jsonb ? workflow OR EXISTS (
      SELECT 1 FROM workflows w WHERE w.environment = $1 AND w.identifier = e.workflow AND $4::jsonb ? w.name)), 0)::bigint AS events
  FROM event_counts e WHERE environment = $1 AND minute BETWEEN $2 AND $3`;

/** What people did about the incidents of some kinds, when those ended, deploys, and changes of their channels and workflows. */
const MARKS = `
  WITH shown AS (
    SELECT i.* FROM incidents i JOIN jsonb_array_elements_text($4::jsonb) AS largest (key) ON i.key = split_part(largest.key, ' ', 1)
    WHERE i.environment = $1
  )
  SELECT * FROM (
    SELECT acknowledged_at AS at, 'acknowledged' AS kind, NULL AS name FROM shown
    UNION SELECT state_at, 'resolved', NULL FROM shown WHERE state = 'resolved'
    UNION SELECT at, CASE what->>'kind' WHEN 'deploy' THEN 'deploy' ELSE 'change' END, what->>'name' FROM changes c
      WHERE environment = $1 AND (what->>'kind' = 'deploy' OR what->>'channel' IN (SELECT channel FROM shown)
        OR what->>'identifier' IN (SELECT w.workflow FROM incident_workflows w JOIN shown ON shown.id = w.incident_id))
  ) mark WHERE at BETWEEN $2 AND $3 ORDER BY at DESC LIMIT 12`;
