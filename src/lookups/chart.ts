import { subMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type FailureFilter, FILTER_NAMES } from '../judging/filter.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { Count, type Db } from '../store/db.ts';
import { type Checked, type CheckedCtx, checkedIn } from './checked.ts';
import { isListed } from './failures.ts';
import { COUNTED_NAMES, deliveriesSql, type Found, failuresSql, foundIn, fromMinute, isCounted } from './found.ts';

/** Slack draws 20 points of six series, of which one is for the others. */
export const MOST_BUCKETS = 20;
const MOST_SERIES = 5;

/** How long a bucket can be. */
const BUCKET_LENGTHS_MS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 30].map((days) => days * DAY_MS),
];

/** Equal parts of a range, of which the first begins at `from`; the last can end after `to`. */
interface Buckets extends TimeRange {
  bucketMs: number;
  count: number;
}

/** The failures of a cause in each bucket. Without a name: of all but the largest causes. */
export interface Series {
  name: string | null;
  counts: readonly number[];
  failures: number;
}

export interface Chart extends Checked {
  buckets: Buckets;
  series: readonly Series[];
  /** All attempts in each bucket; null: the filter has what deliveries aren't counted by. */
  attempts: readonly number[] | null;
}

export async function chartFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter): Promise<Chart> {
  const { checked, scope, lagMs } = await checkedIn(ctx, range);
  const buckets = bucketsOf(range);
  // The service's clock dates what is found.
  const serviceBuckets = { ...buckets, from: subMilliseconds(buckets.from, lagMs) };
  const found = await foundIn(ctx.db, ctx.environment.name, scope, filter);
  const series = await seriesIn(ctx.db, found, serviceBuckets);
  const countedNames: readonly string[] = COUNTED_NAMES;
  const hasAttempts = FILTER_NAMES.every((name) => filter[name].length === 0 || countedNames.includes(name));
  if (!hasAttempts) return { ...checked, buckets, series, attempts: null };
  const delivered = await deliveredIn(ctx.db, found, serviceBuckets);
  const failedIn = (bucket: number) => series.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0);
  return { ...checked, buckets, series, attempts: delivered.map((count, bucket) => count + failedIn(bucket)) };
}

export function bucketsOf({ from, to }: TimeRange): Buckets {
  const start = (bucketMs: number) => Math.floor(from.getTime() / bucketMs) * bucketMs;
  const count = (bucketMs: number) => Math.max(1, Math.ceil((to.getTime() - start(bucketMs)) / bucketMs));
  const bucketMs = BUCKET_LENGTHS_MS.find((lengthMs) => count(lengthMs) <= MOST_BUCKETS) ?? 365 * DAY_MS;
  return { from: new Date(start(bucketMs)), to, bucketMs, count: count(bucketMs) };
}

const emptyBuckets = ({ count }: Buckets) => Array.from({ length: count }, () => 0);

/** The number of the bucket that has a time. What is before the first or after the last counts in that. */
const bucketSql = (time: SQL, { from, bucketMs, count }: Buckets): SQL =>
  sql`GREATEST(0, LEAST(floor(extract(epoch FROM ${time} - ${from}::timestamptz) / ${bucketMs / 1000}::float8)::integer, ${count - 1}::integer))`;

const BucketRow = z.object({ name: z.string().nullable(), bucket: z.number(), failures: Count });

export async function seriesIn(db: Db, found: Found, buckets: Buckets): Promise<readonly Series[]> {
  const rows = await db.rows(
    BucketRow,
    sql`
      WITH counted AS (
        SELECT
          coalesce(i.headline, i.cause_text) AS name,
          count(*) AS failures,
          ${bucketSql(sql`f.occurred_at`, buckets)} AS bucket
        FROM ${failuresSql(found)}
          AND ${isListed(found)}
        GROUP BY 1, 3
      ),
      largest AS (
        SELECT name, sum(failures) AS size
        FROM counted
        GROUP BY name
        ORDER BY size DESC, name
        LIMIT ${MOST_SERIES}
      )
      SELECT l.name, c.bucket, sum(c.failures)::bigint AS failures
      FROM counted c
      LEFT JOIN largest l USING (name)
      GROUP BY l.name, l.size, c.bucket
      ORDER BY l.size DESC NULLS LAST, l.name`,
  );
  const series = new Map<string | null, number[]>();
  for (const { name, bucket, failures } of rows) {
    const counts = series.get(name) ?? emptyBuckets(buckets);
    counts[bucket] = failures;
    series.set(name, counts);
  }
  return [...series].map(([name, counts]) => {
    return { name, counts, failures: counts.reduce((sum, count) => sum + count, 0) };
  });
}

const DeliveredRow = z.object({ bucket: z.number(), delivered: Count });

async function deliveredIn(db: Db, found: Found, buckets: Buckets): Promise<readonly number[]> {
  const counts = emptyBuckets(buckets);
  const rows = await db.rows(
    DeliveredRow,
    sql`
      SELECT ${bucketSql(sql`s.minute`, buckets)} AS bucket, sum(s.successes) AS delivered
      FROM ${deliveriesSql(found, false)}
      WHERE s.minute BETWEEN ${fromMinute(found)} AND ${found.range.to}
        AND ${isCounted(found)}
      GROUP BY 1`,
  );
  for (const { bucket, delivered } of rows) counts[bucket] = delivered;
  return counts;
}
