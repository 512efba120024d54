import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { type FailureFilter, FILTER_NAMES } from '../failures/filter.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { Count, type Db, type SqlValue } from '../store/db.ts';
import {
  type CheckedCtx,
  COUNTED,
  checkedIn,
  countedValues,
  FAILURES,
  FROM_MINUTE,
  failureValues,
  IS_COUNTED,
  IS_LISTED,
  VALUES,
} from './failures.ts';

export type Chart = Awaited<ReturnType<typeof chartFailures>>;

/** `attempts`: a bucket's. Null where the filter is of what isn't counted of deliveries. */
export async function chartFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter) {
  const { checked, scope, lagMs } = await checkedIn(ctx, range);
  const buckets = bucketsOf(range);
  const serviceBuckets = { ...buckets, from: subMilliseconds(buckets.from, lagMs) };
  const values = await failureValues(ctx.db, ctx.environment.name, scope, filter);
  const series = await seriesIn(ctx.db, values, serviceBuckets);
  const isCounted = FILTER_NAMES.every((name) => filter[name].length === 0 || COUNTED.includes(name));
  const failedIn = (bucket: number) => series.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0);
  const attempts = isCounted
    ? (await deliveredIn(ctx.db, values, serviceBuckets)).map((count, bucket) => count + failedIn(bucket))
    : null;
  return { ...checked, buckets, series, attempts };
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

type Buckets = ReturnType<typeof bucketsOf>;

const emptyBuckets = ({ count }: Buckets) => Array.from({ length: count }, () => 0);
const bucketValues = ({ from, bucketMs, count }: Buckets) => [from, bucketMs / 1000, count - 1];

/** With `bucketValues` from `$first` on. */
const bucketSql = (time: string, first: number) =>
  `GREATEST(0, LEAST(floor(extract(epoch FROM ${time} - $${first}::timestamptz) / $${first + 1}::float8)::integer, $${first + 2}::integer)) AS bucket`;

const BucketRow = z.object({ name: z.string().nullable(), bucket: z.number(), failures: Count });

/** By cause. Null: all others. */
export async function seriesIn(db: Db, values: readonly SqlValue[], buckets: Buckets) {
  const series = new Map<string | null, number[]>();
  for (const { name, bucket, failures } of await db.rows(BucketRow, BUCKETS, [...values, ...bucketValues(buckets)])) {
    const counts = series.get(name) ?? emptyBuckets(buckets);
    counts[bucket] = failures;
    series.set(name, counts);
  }
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return [...series].map(([name, counts]) => ({ name, counts, failures: sum(counts) }));
}

const BUCKETS = `
  WITH counted AS (
    SELECT coalesce(i.headline, i.cause_text) AS name, count(*) AS failures, ${bucketSql('f.occurred_at', VALUES + 1)}
    FROM ${FAILURES} AND ${IS_LISTED} GROUP BY 1, 3
  ), largest AS (
    SELECT name, sum(failures) AS size FROM counted GROUP BY name ORDER BY size DESC, name LIMIT ${MOST_SERIES}
  )
  SELECT l.name, c.bucket, sum(c.failures)::bigint AS failures FROM counted c LEFT JOIN largest l USING (name)
  GROUP BY l.name, l.size, c.bucket ORDER BY l.size DESC NULLS LAST, l.name`;

const DeliveredRow = z.object({ bucket: z.number(), delivered: Count });

async function deliveredIn(db: Db, values: readonly SqlValue[], buckets: Buckets) {
  const counts = emptyBuckets(buckets);
  const rows = await db.rows(DeliveredRow, DELIVERED, [...countedValues(values), ...bucketValues(buckets)]);
  for (const { bucket, delivered } of rows) counts[bucket] = delivered;
  return counts;
}

const DELIVERED = `
  SELECT ${bucketSql('s.minute', 7)}, sum(s.successes) AS delivered
  FROM success_counts s WHERE s.minute BETWEEN ${FROM_MINUTE} AND $3 AND ${IS_COUNTED} GROUP BY 1`;
