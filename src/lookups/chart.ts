import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { type FailureFilter, FILTER_NAMES } from '../failures/filter.ts';
import { filterValues } from '../incidents/filter-conditions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { Count, type Db, type SqlValue } from '../store/db.ts';
import { COUNTED, countedValues, IS_COUNTED } from './counted.ts';
import { type Checked, type CheckedCtx, checkedIn, eventsIn, FAILURES, IS_LISTED } from './failures.ts';

export interface Series {
  /** Null: all others. */
  name: string | null;
  counts: readonly number[];
  failures: number;
}

export interface Chart extends Checked, Awaited<ReturnType<typeof eventsIn>> {
  buckets: ReturnType<typeof bucketsOf>;
  series: readonly Series[];
  /** A bucket's; null where the filter is of what isn't counted of deliveries. */
  attempts: readonly number[] | null;
}

export async function chartFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter): Promise<Chart> {
  const { db, environment } = ctx;
  const { checked, coverage, serviceRange } = await checkedIn(ctx, range);
  const buckets = bucketsOf(range);
  const events = await eventsIn(db, environment.name, serviceRange, coverage);
  const serviceBuckets = { ...buckets, from: subMilliseconds(buckets.from, coverage.lagMs) };
  const scope = { range: serviceRange, coverage, buckets: serviceBuckets };
  const wanted = await filterValues(db, environment.name, filter);
  const series = await seriesIn(db, environment.name, scope, wanted);
  const isCounted = FILTER_NAMES.every((name) => filter[name].length === 0 || COUNTED.includes(name));
  const attempts = isCounted ? await attemptsIn(db, environment.name, scope, { wanted, series }) : null;
  return { ...checked, ...events, buckets, series, attempts };
}

/** Slack draws 20 points of six series, of which one is for the others. */
export const MOST_BUCKETS = 20;
const MOST_SERIES = 5;

const LENGTHS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 30].map((days) => days * DAY_MS),
];

export function bucketsOf({ from, to }: TimeRange) {
  const start = (bucketMs: number) => Math.floor(from.getTime() / bucketMs) * bucketMs;
  const count = (bucketMs: number) => Math.max(1, Math.ceil((to.getTime() - start(bucketMs)) / bucketMs));
  const bucketMs = LENGTHS.find((lengthMs) => count(lengthMs) <= MOST_BUCKETS) ?? 365 * DAY_MS;
  return { from: new Date(start(bucketMs)), to, bucketMs, count: count(bucketMs) };
}

const BucketRow = z.object({ name: z.string().nullable(), bucket: z.number(), failures: Count });

export async function seriesIn(
  db: Db,
  environment: string,
  { range, coverage, buckets }: { range: TimeRange; coverage: TimeRange; buckets: Chart['buckets'] },
  wanted: readonly SqlValue[],
): Promise<Series[]> {
  const { from: start, bucketMs, count } = buckets;
  const read = [environment, range.from, range.to, coverage.from, coverage.to];
  const values = [...read, ...wanted, start, bucketMs / 1000, count - 1];
  const series = new Map<string | null, number[]>();
  for (const { name, bucket, failures } of await db.rows(BucketRow, BUCKETS, values)) {
    const counts = series.get(name) ?? Array.from({ length: count }, () => 0);
    counts[bucket] = failures;
    series.set(name, counts);
  }
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return [...series].map(([name, counts]) => ({ name, counts, failures: sum(counts) }));
}

const DeliveredRow = z.object({ bucket: z.number(), delivered: Count });

async function attemptsIn(
  db: Db,
  environment: string,
  { range, buckets }: { range: TimeRange; buckets: Chart['buckets'] },
  { wanted, series }: { wanted: readonly SqlValue[]; series: readonly Series[] },
): Promise<number[]> {
  const values = [
    environment,
    range.from,
    range.to,
    ...countedValues(wanted),
    buckets.from,
    buckets.bucketMs / 1000,
    buckets.count - 1,
  ];
  const delivered = new Map<number, number>();
  for (const row of await db.rows(DeliveredRow, DELIVERED, values)) delivered.set(row.bucket, row.delivered);
  return Array.from({ length: buckets.count }, (_, bucket) =>
    series.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), delivered.get(bucket) ?? 0),
  );
}

const DELIVERED = `
  SELECT LEAST(floor(extract(epoch FROM s.minute - $7::timestamptz) / $8::float8)::integer, $9::integer) AS bucket,
    sum(s.successes) AS delivered
  FROM success_counts s WHERE s.environment = $1 AND s.minute BETWEEN $2 AND $3 AND ${IS_COUNTED} GROUP BY 1`;

const START = 6 + FILTER_NAMES.length;
const BUCKETS = `
  WITH counted AS (
    SELECT coalesce(i.headline, i.cause_text) AS name, count(*) AS failures,
      LEAST(floor(extract(epoch FROM f.occurred_at - $${START}::timestamptz) / $${START + 1}::float8)::integer, $${START + 2}::integer) AS bucket
    FROM ${FAILURES} AND ${IS_LISTED} GROUP BY 1, 3
  ), largest AS (
    SELECT name, sum(failures) AS size FROM counted GROUP BY name ORDER BY size DESC, name LIMIT ${MOST_SERIES}
  )
  SELECT l.name, c.bucket, sum(c.failures)::bigint AS failures FROM counted c LEFT JOIN largest l USING (name)
  GROUP BY l.name, l.size, c.bucket ORDER BY l.size DESC NULLS LAST, l.name`;
