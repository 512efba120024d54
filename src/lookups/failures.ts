import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { countedIn } from '../coverage/minutes.ts';
import { ongoingCondition } from '../incidents/conditions.ts';
import { isCovered, type SpelledFilter, spelledFilter } from '../incidents/filter-conditions.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import { StoredVerdict } from '../incidents/incident.ts';
import { incidentNow } from '../incidents/lists.ts';
import { type FailureFilter, FILTER_NAMES } from '../judging/filter.ts';
import { mostSevere, type VerdictCounts } from '../judging/judge.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import type { CheckNow } from '../polling/poll.ts';
import { fields } from '../service/schema.ts';
import { Count, CountRow, type Db, onlyRow, textList } from '../store/db.ts';
import { type CoveredRange, coverageIn, movedBy } from './coverage.ts';

export interface CheckedCtx {
  environment: Environment;
  db: Db;
  checkNow: CheckNow;
  now: () => Date;
}

interface EventsChecked {
  eventsChecked: number;
  unreadable: number;
}

/** What an answer about a range covers. */
export interface Checked extends EventsChecked, Pick<CoveredRange, 'read' | 'since' | 'givenUp'> {
  environment: Environment;
  range: TimeRange;
  /** The last successful check is `asOf`, and `isCurrent` if it began after the question. */
  freshness: { asOf: Date | null; isCurrent: boolean };
  unchecked: readonly TimeRange[];
  trouble: ServiceError | null;
  outage: IncidentNow | null;
}

/** Both are by the service's clock. */
interface Scope {
  range: TimeRange;
  coverage: TimeRange;
}

const JUST_NOW_MS = 500;

export async function checkedIn(
  { environment, db, checkNow, now }: CheckedCtx,
  range: TimeRange,
): Promise<{ checked: Checked; scope: Scope; lagMs: number }> {
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
  const outage = await ongoingCondition(db, { kind: 'unreadable', environment: environment.name, workflow: null });
  const checked = {
    environment,
    range,
    read,
    since,
    givenUp,
    freshness: { asOf: coverage?.checkedAt ?? null, isCurrent: outcome === 'checked' },
    unchecked: [...toRead, ...(after.from < after.to ? [after] : [])],
    trouble: problem && new ServiceError(environment.name, 'listEvents', problem),
    ...(await eventsIn(db, environment.name, scope)),
    outage: outage && outage.firstAt < scope.range.to ? await incidentNow(db, outage.id, askedAt) : null,
  };
  return { checked, scope, lagMs };
}

export const reachesNow = ({ to }: TimeRange, now: Date): boolean => now.getTime() - to.getTime() <= MINUTE_MS;

export async function eventsIn(db: Db, environment: string, { range, coverage }: Scope): Promise<EventsChecked> {
  // The minute of the end is included.
  const to = addMilliseconds(min([range.to, coverage.to]), 1);
  const from = minuteOf(max([range.from, coverage.from]));
  const { events: eventsChecked, unreadable } = await countedIn(db, environment, { from, to });
  return { eventsChecked, unreadable };
}

interface Failures {
  causes: readonly FoundCause[];
  counts: VerdictCounts;
  failedEvents: number;
}

export interface FailuresFound extends Checked, Failures {}

export async function findFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter): Promise<FailuresFound> {
  const { checked, scope } = await checkedIn(ctx, range);
  return { ...checked, ...(await failuresIn(ctx.db, ctx.environment.name, scope, filter)) };
}

export async function failuresIn(db: Db, environment: string, scope: Scope, filter: FailureFilter): Promise<Failures> {
  const found = await foundIn(db, environment, scope, filter);
  const causes = await db.rows(CauseRow, causesSql(found));
  const verdicts = await db.rows(
    VerdictCount,
    sql`SELECT f.verdict, count(*) FROM ${failuresSql(found)} GROUP BY f.verdict`,
  );
  const counts: VerdictCounts = Object.fromEntries(verdicts.map(({ verdict, count }) => [verdict, count]));
  const failedEvents = sql`
    SELECT count(DISTINCT f.event_key)
    FROM ${failuresSql(found)}
      AND i.verdict_class = 'announced'`;
  return { causes, counts, failedEvents: onlyRow(await db.rows(CountRow, failedEvents)).count };
}

/** What is looked for, with the filter's names in all spellings. */
export interface Found extends Scope {
  environment: string;
  filter: SpelledFilter;
}

export async function foundIn(db: Db, environment: string, scope: Scope, filter: FailureFilter): Promise<Found> {
  return { environment, ...scope, filter: await spelledFilter(db, environment, filter) };
}

/** Failures `f` with their incidents `i`. */
export const failuresSql = ({ environment, range, coverage, filter }: Found): SQL => sql`
  failures f
  JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = ${environment}
    AND f.occurred_at BETWEEN ${range.from} AND ${range.to}
    AND ${isCovered(filter)}
    AND f.event_created_at BETWEEN ${coverage.from} AND ${coverage.to}`;

/** Deliveries are counted by these alone. */
const DELIVERY_FILTERS: readonly string[] = ['workflows', 'channels', 'providers', 'domains'];

export const fromMinute = ({ range }: Pick<Found, 'range'>): SQL =>
  sql`date_trunc('minute', ${range.from}::timestamptz, 'UTC')`;

/** Counts `s` of deliveries. Split by domain, '' has those of no domain that is stored. */
export function deliveriesSql({ filter }: Pick<Found, 'filter'>, isByDomain = filter.domains.length > 0): SQL {
  if (!isByDomain) return sql`success_counts s`;
  return sql`(
    SELECT c.environment, c.workflow, c.channel, c.provider, c.minute, c.last_at, d.domain, d.successes, NULL::jsonb AS latencies
    FROM success_counts c,
      LATERAL (
        SELECT key AS domain, value::integer AS successes
        FROM jsonb_each_text(c.domains)
        UNION ALL
        SELECT '', c.successes - coalesce((SELECT sum(value::integer) FROM jsonb_each_text(c.domains)), 0)
      ) d
  ) s`;
}

/** Whether a count `s` of deliveries is of what is looked for. */
export function isCounted({ environment, filter }: Pick<Found, 'environment' | 'filter'>): SQL {
  const isAmong = (column: SQL, names: readonly string[]) =>
    names.length === 0 ? sql`` : sql`AND ${column} IN ${textList(names)}`;
  return sql`s.environment = ${environment}
    ${isAmong(sql`s.workflow`, filter.workflows)}
    ${isAmong(sql`s.channel`, filter.channels)}
    ${isAmong(sql`s.provider`, filter.providers)}
    ${isAmong(sql`s.domain`, filter.domains)}`;
}

const VerdictCount = z.object({ verdict: StoredVerdict, count: Count });

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

/** Verdicts that aren't announced are listed only if they are asked for. */
const isListed = ({ filter }: Found): SQL =>
  filter.verdicts.length > 0 ? sql`true` : sql`i.verdict_class = 'announced'`;

const causesSql = (found: Found): SQL => sql`
  WITH found AS (
    SELECT i.key, f.*
    FROM ${failuresSql(found)}
      AND ${isListed(found)}
  ),
  causes AS (
    SELECT
      key,
      max(incident_id) AS incident_id,
      count(*) AS failures,
      count(DISTINCT subscriber_id) AS subscribers,
      min(occurred_at) AS first_seen,
      max(occurred_at) AS last_seen,
      array_agg(DISTINCT verdict) AS verdicts,
      bool_or(critical) AS critical,
      max(seq) AS newest
    FROM found
    GROUP BY key
  ),
  workflows AS (
    SELECT key, jsonb_agg(jsonb_build_object('name', name, 'failures', failures) ORDER BY failures DESC, name) AS workflows
    FROM (
      SELECT key, coalesce(workflow, 'deleted workflow') AS name, count(*) AS failures
      FROM found
      GROUP BY 1, 2
    ) named
    GROUP BY key
  )
  SELECT c.*, w.workflows, newest.event_id, newest.transaction_id, newest.subscriber_id
  FROM causes c
  JOIN workflows w USING (key)
  JOIN incidents i ON i.id = c.incident_id
  JOIN failures newest ON newest.seq = c.newest
  ORDER BY
    array_position(ARRAY['firing', 'recovering', 'unconfirmed'], i.state),
    i.is_test,
    c.critical DESC,
    c.failures DESC,
    c.key
  LIMIT ${MOST_CAUSES}`;

export interface Chart extends Checked {
  buckets: Buckets;
  series: readonly Series[];
  /** Null where the filter has what deliveries aren't counted by. */
  attempts: readonly number[] | null;
}

export async function chartFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter): Promise<Chart> {
  const { checked, scope, lagMs } = await checkedIn(ctx, range);
  const buckets = bucketsOf(range);
  const serviceBuckets = { ...buckets, from: subMilliseconds(buckets.from, lagMs) };
  const found = await foundIn(ctx.db, ctx.environment.name, scope, filter);
  const series = await seriesIn(ctx.db, found, serviceBuckets);
  const hasAttempts = FILTER_NAMES.every((name) => filter[name].length === 0 || DELIVERY_FILTERS.includes(name));
  const failedIn = (bucket: number) => series.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0);
  const attempts = hasAttempts
    ? (await deliveredIn(ctx.db, found, serviceBuckets)).map((count, bucket) => count + failedIn(bucket))
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

interface Buckets extends TimeRange {
  bucketMs: number;
  count: number;
}

export function bucketsOf({ from, to }: TimeRange): Buckets {
  const start = (bucketMs: number) => Math.floor(from.getTime() / bucketMs) * bucketMs;
  const count = (bucketMs: number) => Math.max(1, Math.ceil((to.getTime() - start(bucketMs)) / bucketMs));
  const bucketMs = LENGTHS.find((lengthMs) => count(lengthMs) <= MOST_BUCKETS) ?? 365 * DAY_MS;
  return { from: new Date(start(bucketMs)), to, bucketMs, count: count(bucketMs) };
}

const emptyBuckets = ({ count }: Buckets) => Array.from({ length: count }, () => 0);

const bucketSql = (time: SQL, { from, bucketMs, count }: Buckets): SQL =>
  sql`GREATEST(0, LEAST(floor(extract(epoch FROM ${time} - ${from}::timestamptz) / ${bucketMs / 1000}::float8)::integer, ${count - 1}::integer))`;

const BucketRow = z.object({ name: z.string().nullable(), bucket: z.number(), failures: Count });

/** The failures of a cause in each bucket. Without a name: of all but the largest causes. */
export interface Series {
  name: string | null;
  counts: readonly number[];
  failures: number;
}

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
      FROM ${deliveriesSql(found)}
      WHERE s.minute BETWEEN ${fromMinute(found)} AND ${found.range.to}
        AND ${isCounted(found)}
      GROUP BY 1`,
  );
  for (const { bucket, delivered } of rows) counts[bucket] = delivered;
  return counts;
}
