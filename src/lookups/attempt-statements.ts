import { subHours } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { type Found, failuresSql, isCounted } from './found.ts';

export const GROUPINGS = ['provider', 'channel', 'workflow', 'domain'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The columns by which rows `s`, which are counts or failures, are grouped. */
export const PLACES: Record<Grouping, SQL> = {
  provider: sql`s.channel, s.provider AS name`,
  channel: sql`s.channel, '' AS name`,
  workflow: sql`'' AS channel, s.workflow AS name`,
  domain: sql`s.channel, s.domain AS name`,
};

/** By what attempts are counted. */
export interface Counts {
  /** One of PLACES. */
  place: SQL;
  /** The counts `s` of `deliveriesSql`. */
  deliveries: SQL;
  /** The time that says what is normal. */
  usualRange: TimeRange | null;
}

/** The beginning is cut to its minute here, because the database would do so for each row. */
const isDuring = (range: TimeRange | null): SQL =>
  range === null ? sql`false` : sql`s.minute BETWEEN ${minuteOf(range.from)} AND ${range.to}`;

/**
 * Counts a day's deliveries. A minute is in the last hour, or in the same hour of a day before, if it's less than an hour
 * before now, apart from whole days.
 */
export function deliveredSql(
  counts: Counts,
  found: Found,
  { shown, compared }: { shown: TimeRange; compared: { now: Date; from: Date } | null },
  day: TimeRange,
): SQL {
  const now = sql`${compared?.now ?? null}::timestamptz`;
  const hourAgo = sql`${compared && subHours(compared.now, 1)}::timestamptz`;
  return sql`
    SELECT
      ${counts.place},
      max(s.last_at) FILTER (WHERE ${isDuring(shown)}) AS last_at,
      coalesce(sum(s.successes) FILTER (WHERE ${isDuring(found.range)}), 0) AS delivered,
      coalesce(sum(s.successes) FILTER (WHERE ${isDuring(counts.usualRange)}), 0) AS usual,
      coalesce(sum(s.successes) FILTER (WHERE s.minute >= ${hourAgo}), 0) AS last_hour,
      coalesce(
        sum(s.successes) FILTER (
          WHERE s.minute BETWEEN ${compared?.from ?? null}::timestamptz AND ${hourAgo}
            AND extract(epoch FROM ${now} - s.minute)::bigint % 86400 < 3600),
        0) AS same_hours
    FROM ${counts.deliveries}
    WHERE s.minute BETWEEN ${day.from} AND ${day.to}
      AND ${isCounted(found)}
    GROUP BY 1, 2`;
}

/** Leaves out damaged latencies, which would end the whole answer. */
export const latencySql = (counts: Counts, found: Found, day: TimeRange): SQL => sql`
  SELECT
    ${counts.place},
    l.key::integer AS bucket,
    coalesce(sum(l.value::integer) FILTER (WHERE ${isDuring(found.range)}), 0) AS count,
    coalesce(sum(l.value::integer) FILTER (WHERE ${isDuring(counts.usualRange)}), 0) AS usual
  FROM ${counts.deliveries}, jsonb_each_text(CASE jsonb_typeof(s.latencies) WHEN 'object' THEN s.latencies ELSE '{}' END) l
  WHERE l.key ~ '^\\d+$'
    AND l.value ~ '^\\d+$'
    AND s.minute BETWEEN ${day.from} AND ${day.to}
    AND ${isCounted(found)}
  GROUP BY 1, 2, 3`;

export const failedSql = (place: SQL, found: Found): SQL => sql`
  SELECT ${place}, s.verdict, count(*)
  FROM (
    SELECT i.channel, f.provider, coalesce(f.workflow, '') AS workflow, coalesce(f.domain, '') AS domain, f.verdict
    FROM ${failuresSql(found)}
      AND NOT i.is_test
  ) s
  GROUP BY 1, 2, 3`;

/** Domains `d` at which a workflow `w` of an incident `i` failed. */
const domainsSql = ({ range }: Found): SQL => sql`
  CROSS JOIN LATERAL (
    SELECT DISTINCT coalesce(f.domain, '') AS domain
    FROM failures f
    WHERE f.incident_id = i.id
      AND coalesce(f.workflow, '') = w.workflow
      AND f.occurred_at BETWEEN GREATEST(o.began_at, ${range.from}) AND ${range.to}
  ) d`;

/** Incidents that fired in the range, and still do. */
export const firingSql = (place: SQL, found: Found, isByDomain: boolean): SQL => sql`
  SELECT ${place}, array_agg(DISTINCT s.id) AS firing
  FROM (
    SELECT
      i.id,
      i.environment,
      i.channel,
      coalesce(i.provider, '') AS provider,
      w.workflow,
      ${isByDomain ? sql`d.domain` : sql`'' AS domain`}
    FROM incidents i
    JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak
    JOIN outbreak_workflows w ON w.incident_id = i.id AND w.outbreak = i.outbreak AND w.failures > 0
    ${isByDomain ? domainsSql(found) : sql``}
    WHERE i.state = 'firing'
      AND i.verdict_class = 'announced'
      AND NOT i.is_test
      AND (o.began_at, 'infinity'::timestamptz) OVERLAPS (${found.range.from}, ${found.range.to})
  ) s
  WHERE ${isCounted(found)}
  GROUP BY 1, 2`;
