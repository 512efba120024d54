import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { countedIn } from '../coverage/minutes.ts';
import { type FailureFilter, FILTER_NAMES } from '../failures/filter.ts';
import { mostSevere, type VerdictCounts } from '../failures/judge.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import { StoredVerdict } from '../incidents/incident.ts';
import { incidentNow } from '../incidents/lists.ts';
import { openOutage } from '../incidents/outage.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import type { CheckNow } from '../polling/poll.ts';
import { fields } from '../service/schema.ts';
import { Count, CountRow, type Db, onlyRow, type SqlValue } from '../store/db.ts';
import { coverageIn, movedBy } from './coverage.ts';

export interface CheckedCtx {
  environment: Environment;
  db: Db;
  checkNow: CheckNow;
  now: () => Date;
}

export type Checked = Awaited<ReturnType<typeof checkedIn>>['checked'];

/** Both are by the service's clock. */
interface Scope {
  range: TimeRange;
  coverage: TimeRange;
}

const JUST_NOW_MS = 500;

export async function checkedIn({ environment, db, checkNow, now }: CheckedCtx, range: TimeRange) {
  const askedAt = now();
  const { outcome, problem } = await checkNow(environment.name);
  const { coverage, read, since, toRead, givenUp, after } = await coverageIn(db, environment.name, range);
  const lagMs = coverage?.lagMs ?? 0;
  const emptyRange = { from: range.to, to: range.from };
  const isPast = range.to < subMilliseconds(askedAt, JUST_NOW_MS);
  const scope = {
    range: movedBy(-lagMs, { ...range, to: isPast ? range.to : addMilliseconds(askedAt, CLOCK_TOLERANCE_MS) }),
    coverage: (read.from < read.to && coverage) || emptyRange,
  };
  const outage = await openOutage(db, environment.name);
  const checked = {
    environment,
    range,
    read,
    since,
    givenUp,
    /** The last successful check is `asOf`, and `isCurrent` if it began after the question. */
    freshness: { asOf: coverage?.checkedAt ?? null, isCurrent: outcome === 'checked' },
    unchecked: [...toRead, ...(after.from < after.to ? [after] : [])],
    trouble: problem && new ServiceError(environment.name, 'listEvents', problem),
    ...(await eventsIn(db, environment.name, scope)),
    outage: outage && outage.startedAt < scope.range.to ? await incidentNow(db, outage.id, askedAt) : null,
  };
  return { checked, scope, lagMs };
}

export const reachesNow = ({ to }: TimeRange, now: Date) => now.getTime() - to.getTime() <= MINUTE_MS;

export async function eventsIn(db: Db, environment: string, { range, coverage }: Scope) {
  // The minute of the end is included.
  const to = addMilliseconds(min([range.to, coverage.to]), 1);
  const from = minuteOf(max([range.from, coverage.from]));
  const { events: eventsChecked, unreadable } = await countedIn(db, environment, { from, to });
  return { eventsChecked, unreadable };
}

export type FailuresFound = Awaited<ReturnType<typeof findFailures>>;

export async function findFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter) {
  const { checked, scope } = await checkedIn(ctx, range);
  return { ...checked, ...(await failuresIn(ctx.db, ctx.environment.name, scope, filter)) };
}

export async function failuresIn(db: Db, environment: string, scope: Scope, filter: FailureFilter) {
  const values = await failureValues(db, environment, scope, filter);
  const causes = await db.rows(CauseRow, CAUSES, values);
  const verdicts = await db.rows(VerdictCount, VERDICTS, values);
  const counts: VerdictCounts = Object.fromEntries(verdicts.map(({ verdict, count }) => [verdict, count]));
  const { count: failedEvents } = onlyRow(await db.rows(CountRow, FAILED_EVENTS, values));
  return { causes, counts, failedEvents };
}

export async function failureValues(db: Db, environment: string, { range, coverage }: Scope, filter: FailureFilter) {
  const wanted = await filterValues(db, environment, filter);
  return [environment, range.from, range.to, ...wanted, coverage.from, coverage.to];
}

const LAST_VALUE = 5 + FILTER_NAMES.length;

/** Its parameters are `failureValues`. */
export const FAILURES = `
  failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND f.occurred_at BETWEEN $2 AND $3 AND ${filterConditions(4)}
    AND f.event_created_at BETWEEN $${LAST_VALUE - 1} AND $${LAST_VALUE}`;

const DELIVERY_FILTERS = FILTER_NAMES.slice(0, 3);

export const FROM_MINUTE = "date_trunc('minute', $2::timestamptz, 'UTC')";

/** `IS_COUNTED`, of deliveries `s`, takes these of `failureValues`. */
export const countedValues = (values: readonly SqlValue[]) => values.slice(0, 3 + DELIVERY_FILTERS.length);

export const IS_COUNTED = `s.environment = $1 AND ($4::jsonb = '[]' OR $4::jsonb ? s.workflow)
    AND ($5::jsonb = '[]' OR $5::jsonb ? s.channel) AND ($6::jsonb = '[]' OR $6::jsonb ? s.provider)`;

const FAILED_EVENTS = `SELECT count(DISTINCT f.event_key) FROM ${FAILURES} AND i.announcement = 'announced'`;

const VerdictCount = z.object({ verdict: StoredVerdict, count: Count });
const VERDICTS = `SELECT f.verdict, count(*) FROM ${FAILURES} GROUP BY f.verdict`;

const CauseRow = z
  .object({
    ...fields(Count, 'incidentId', 'failures', 'subscribers'),
    ...fields(z.date(), 'firstSeen', 'lastSeen'),
    critical: z.boolean(),
    verdicts: z.array(StoredVerdict),
    transactionId: z.string(),
    ...fields(z.string().nullable(), 'eventId', 'subscriberId'),
    workflows: z.array(z.object({ name: z.string(), failures: z.number() })),
  })
  .transform(({ verdicts, eventId, transactionId, subscriberId, ...row }) => ({
    ...row,
    verdict: mostSevere(verdicts),
    example: { eventId, transactionId, subscriberId },
  }));

export type FoundCause = z.output<typeof CauseRow>;

export const MOST_CAUSES = 500;

const IS_LISTED = `(i.announcement = 'announced' OR $${4 + FILTER_NAMES.indexOf('verdicts')}::jsonb <> '[]')`;

const CAUSES = `
  WITH found AS (
    SELECT i.key, f.* FROM ${FAILURES} AND ${IS_LISTED}
  ), causes AS (
    SELECT key, max(incident_id) AS incident_id, count(*) AS failures, count(DISTINCT subscriber_id) AS subscribers,
      min(occurred_at) AS first_seen, max(occurred_at) AS last_seen, array_agg(DISTINCT verdict) AS verdicts,
      bool_or(critical) AS critical, max(seq) AS newest
    FROM found GROUP BY key
  ), workflows AS (
    SELECT key, jsonb_agg(jsonb_build_object('name', name, 'failures', failures) ORDER BY failures DESC, name) AS workflows
    FROM (SELECT key, coalesce(workflow, 'deleted workflow') AS name, count(*) AS failures FROM found GROUP BY 1, 2) named
    GROUP BY key
  )
  SELECT c.*, w.workflows, newest.event_id, newest.transaction_id, newest.subscriber_id
  FROM causes c JOIN workflows w USING (key) JOIN incidents i ON i.id = c.incident_id JOIN failures newest ON newest.seq = c.newest
  ORDER BY array_position(ARRAY['firing', 'recovering', 'unconfirmed'], i.state), i.is_test, c.critical DESC, c.failures DESC, c.key LIMIT ${MOST_CAUSES}`;

export type Chart = Awaited<ReturnType<typeof chartFailures>>;

export async function chartFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter) {
  const { checked, scope, lagMs } = await checkedIn(ctx, range);
  const buckets = bucketsOf(range);
  const serviceBuckets = { ...buckets, from: subMilliseconds(buckets.from, lagMs) };
  const values = await failureValues(ctx.db, ctx.environment.name, scope, filter);
  const series = await seriesIn(ctx.db, values, serviceBuckets);
  const isCounted = FILTER_NAMES.every((name) => filter[name].length === 0 || DELIVERY_FILTERS.includes(name));
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

/** The `bucketValues` are from `$first` on. */
const bucketSql = (time: string, first: number) =>
  `GREATEST(0, LEAST(floor(extract(epoch FROM ${time} - $${first}::timestamptz) / $${first + 1}::float8)::integer, $${first + 2}::integer)) AS bucket`;

const BucketRow = z.object({ name: z.string().nullable(), bucket: z.number(), failures: Count });

/** The series without a name is for all but the largest causes. */
export async function seriesIn(db: Db, values: readonly SqlValue[], buckets: Buckets) {
  const series = new Map<string | null, number[]>();
  for (const { name, bucket, failures } of await db.rows(BucketRow, BUCKETS, [...values, ...bucketValues(buckets)])) {
    const counts = series.get(name) ?? emptyBuckets(buckets);
    counts[bucket] = failures;
    series.set(name, counts);
  }
  return [...series].map(([name, counts]) => {
    return { name, counts, failures: counts.reduce((sum, count) => sum + count, 0) };
  });
}

const BUCKETS = `
  WITH counted AS (
    SELECT coalesce(i.headline, i.cause_text) AS name, count(*) AS failures, ${bucketSql('f.occurred_at', LAST_VALUE + 1)}
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
