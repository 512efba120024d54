import { z } from 'zod';
import { type Buckets, type CountedGroup, type Mark, MOST_SERIES } from '../../domain/charts/chart.ts';
import { ALL_FAILURES, FILTER_NAMES } from '../../domain/failures/failure-filter.ts';
import type { ChartStore } from '../../use-cases/lookups/chart-failures.ts';
import { type Database, jsonOf } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { asSpelled, filterConditions, filterValues } from '../failures/filter-conditions.ts';

/** Without a key: the sum of the groups beyond the largest. */
const GroupRow = z.object({
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

export function failureCharts(database: Database): Pick<ChartStore, 'countedIn'> {
  return {
    async countedIn(environment, buckets, subject) {
      const filter = await asSpelled(database, environment, subject.is === 'filter' ? subject.filter : ALL_FAILURES);
      const { from, to, bucketMs, count } = buckets;
      const episodeId = subject.is === 'incident' ? subject.episodeId : null;
      const span = [environment, from, to, bucketMs / 1000, count - 1, episodeId];
      const rows = await database.rows(GroupRow, GROUPS, [...span, ...filterValues(filter)]);
      const [checked] = await database.rows(EventsRow, EVENTS, [environment, from, to, jsonOf(filter.workflows)]);
      const largest = rows.flatMap(({ key }) => key ?? []).slice(0, MOST_SERIES);
      const marks = await database.rows(MarkRow, MARKS, [environment, from, to, jsonOf(largest)]);
      return {
        groups: rows.flatMap((row) => groupOf(row, buckets)),
        rest: inBuckets(rows.find(({ key }) => key === null)?.counts ?? {}, buckets),
        events: checked?.events ?? 0,
        unreadable: checked?.unreadable ?? 0,
        marks: marks.toReversed(),
      };
    },
  };
}

function groupOf(row: z.output<typeof GroupRow>, buckets: Buckets): CountedGroup[] {
  const { key, channel, provider, cause_text: cause, workflow } = row;
  if (key === null || channel === null || cause === null) return [];
  return [{ channel, provider, cause, workflow, counts: inBuckets(row.counts, buckets) }];
}

function inBuckets(counts: Readonly<Record<string, number>>, { count }: Buckets): number[] {
  return Array.from({ length: count }, (_, bucket) => counts[bucket] ?? 0);
}

/** More groups than a chart shows, because it sums them up by provider or cause. */
const MOST_GROUPS = 100;

/** A time at the very end of the range belongs to the last bucket. */
const bucketOf = (moment: string) =>
  `LEAST(floor(extract(epoch FROM ${moment} - $2::timestamptz) / $4::float8)::integer, $5::integer)`;

const GROUPS = `
  WITH counted AS (
    SELECT f.group_key, ${bucketOf('f.occurred_at')} AS bucket, count(*) AS failures
    FROM failures f JOIN groups asked ON asked.key = f.group_key
    WHERE f.environment = $1 AND f.occurred_at BETWEEN $2 AND $3
      AND CASE WHEN $6::bigint IS NULL
        THEN f.is_announced OR $${7 + FILTER_NAMES.indexOf('verdicts')}::jsonb <> '[]'
        ELSE asked.incident_key = (SELECT incident_key FROM episodes WHERE id = $6) END
      AND ${filterConditions(7)}
    GROUP BY 1, 2
  ), sized AS (
    SELECT group_key, sum(failures) AS size FROM counted GROUP BY group_key
  ), largest AS (
    SELECT * FROM sized ORDER BY size DESC, group_key LIMIT ${MOST_GROUPS}
  ), shown AS (
    SELECT l.group_key AS key, l.size, c.bucket, sum(c.failures) AS failures
    FROM counted c LEFT JOIN largest l USING (group_key) GROUP BY 1, 2, 3
  )
  SELECT s.key, g.channel, g.provider, g.cause_text, g.workflow, jsonb_object_agg(s.bucket, s.failures) AS counts
  FROM shown s LEFT JOIN groups g ON g.key = s.key
  GROUP BY s.key, s.size, g.channel, g.provider, g.cause_text, g.workflow ORDER BY s.size DESC NULLS LAST, s.key`;

/** The events of the requested workflows, by identifier or name, of all if none is requested; and the unreadable ones of whatever workflow. */
const EVENTS = `
  SELECT coalesce(sum(unreadable), 0)::bigint AS unreadable,
    coalesce(sum(events) FILTER (WHERE $4::jsonb = '[]' OR $4::jsonb ? workflow OR EXISTS (
      SELECT 1 FROM workflows w WHERE w.environment = $1 AND w.identifier = e.workflow AND $4::jsonb ? w.name)), 0)::bigint AS events
  FROM event_counts e WHERE environment = $1 AND minute BETWEEN $2 AND $3`;

/** What people did about the incidents of some groups, when those ended, deploys, and changes of their channels and workflows. */
const MARKS = `
  WITH asked AS (
    SELECT g.* FROM groups g JOIN jsonb_array_elements_text($4::jsonb) AS largest (key) USING (key)
  ), episode AS (
    SELECT s.* FROM episodes s WHERE s.incident_key IN (SELECT incident_key FROM asked)
  )
  SELECT * FROM (
    SELECT acknowledged_at AS at, 'acknowledged' AS kind, NULL AS name FROM episode
    UNION SELECT state_at, 'resolved', NULL FROM episode WHERE state = 'resolved'
    UNION SELECT at, CASE what->>'kind' WHEN 'deploy' THEN 'deploy' ELSE 'change' END, what->>'name' FROM changes c
      WHERE environment = $1 AND (what->>'kind' = 'deploy'
        OR what->>'channel' IN (SELECT channel FROM asked) OR what->>'identifier' IN (SELECT workflow FROM asked))
  ) mark WHERE at BETWEEN $2 AND $3 ORDER BY at DESC LIMIT 12`;
