import { addMilliseconds } from 'date-fns';
import { z } from 'zod';
import { compareTallies, gravest, highestSeverity, keyed, type Tally } from '../failures/failure.ts';
import type { FailureFilter } from '../failures/filter.ts';
import { emptySummary, type FailureSummary } from '../failures/summary.ts';
import { type CheckNow, type Freshness, freshnessAfter } from '../health/check.ts';
import { StoredAnnouncement, StoredVerdict } from '../incidents/incident.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { joinedRanges, shared } from '../lib/time/coverage.ts';
import { minuteOf } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS, datedAheadMs } from '../lib/time/service-clock.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { environmentOf, type ReadEnvironment } from '../polling/environments.ts';
import { gapsIn } from '../polling/gaps.ts';
import type { Db, SqlValue } from '../store/db.ts';
import { Count, CountRow } from '../store/row.ts';
import { asSpelled, filterConditions, filterValues } from './filter-conditions.ts';

export interface FailuresFound {
  readonly environment: Environment;
  readonly filter: FailureFilter;
  readonly range: TimeRange;
  readonly freshness: Freshness;
  /** What was checked, except `gaps`; equal to `asked` if everything was, and empty if nothing. */
  readonly read: TimeRange;
  /** When Notif began to check the environment, if the range begins before that. */
  readonly since: Date | null;
  /** The parts of `read` that weren't read: still to be checked, or given up. */
  readonly gaps: { readonly unchecked: readonly TimeRange[]; readonly givenUp: readonly TimeRange[] };
  readonly trouble: ServiceError | null;
  readonly summary: FailureSummary;
}

interface Coverage extends TimeRange {
  /** When the last poll that checked everything new began; null before the first. */
  readonly checkedAt: Date | null;
}

export interface FindFailuresCtx {
  readonly environment: Environment;
  readonly db: Db;
  /** Null: the answer is what is known as of the last check. */
  readonly checkNow: CheckNow | null;
  readonly now: () => Date;
}

/** The time between parsing a command, which sets the range's "now", and reading the clock here. */
const ASKING_MS = 500;

/**
 * The range is by our clock: if the service's is behind, what occurred in it is dated earlier. Doesn't throw if the service can't be
 * read, but returns what is known, with the problem and the time of the last check.
 */
export async function findFailures(
  { environment, db, checkNow, now }: FindFailuresCtx,
  range: TimeRange,
  filter: FailureFilter,
): Promise<FailuresFound> {
  const askedAt = now();
  const check = (await checkNow?.(environment.name)) ?? null;
  const known = await environmentOf(db, environment.name);
  const coverage = covered(known);
  const aheadMs = datedAheadMs(known?.clockAheadMs ?? null);
  const since = coverage && addMilliseconds(coverage.from, -aheadMs);
  const found = {
    environment,
    filter,
    range,
    freshness: freshnessAfter(check, coverage?.checkedAt ?? null),
    since: since !== null && since > range.from ? since : null,
    trouble: check?.problem == null ? null : new ServiceError(environment.name, 'listEvents', check.problem),
  };
  const read = coverage && shared(range, movedBy(-aheadMs, coverage));
  if (coverage === null || read === null) {
    const at = since !== null && since >= range.to ? range.to : range.from;
    return { ...found, read: { from: at, to: at }, gaps: { unchecked: [], givenUp: [] }, summary: emptySummary() };
  }
  const gaps = await gapsIn(db, environment.name, movedBy(aheadMs, read));
  const within = (windows: readonly TimeRange[]) =>
    joinedRanges(windows.flatMap((window) => shared(movedBy(-aheadMs, window), read) ?? []));
  return {
    ...found,
    read,
    gaps: {
      unchecked: within(gaps.flatMap(({ unchecked }) => unchecked)),
      givenUp: within(gaps.flatMap(({ givenUp }) => givenUp)),
    },
    summary: await failuresIn(db, environment.name, movedBy(aheadMs, toTheEnd(range, askedAt)), coverage, filter),
  };
}

/** The service's clock may date into our future what has just happened. */
function toTheEnd(range: TimeRange, now: Date): TimeRange {
  return range.to.getTime() < now.getTime() - ASKING_MS
    ? range
    : { from: range.from, to: addMilliseconds(now, CLOCK_TOLERANCE_MS) };
}

function movedBy(ms: number, { from, to }: TimeRange): TimeRange {
  return { from: addMilliseconds(from, ms), to: addMilliseconds(to, ms) };
}

const VerdictCount = z.object({ verdict: StoredVerdict, count: Count });
const FailedEvents = z.object({ severity: z.string().nullable(), events: Count, critical: Count });
const WorkflowEvents = z.object({ workflow: z.string(), events: Count, unreadable: Count });

export async function coverageOf(database: Db, environment: string): Promise<Coverage | null> {
  return covered(await environmentOf(database, environment));
}

function covered(known: ReadEnvironment | null): Coverage | null {
  if (known === null || known.checkedTo <= known.coveredFrom) return null;
  return { from: known.coveredFrom, to: known.checkedTo, checkedAt: known.lastSuccessAt };
}

/** Returns the failures in `range` of stored events created within `coverage`, and how many events were checked in both. */
export async function failuresIn(
  database: Db,
  environment: string,
  range: TimeRange,
  coverage: TimeRange,
  filter: FailureFilter,
): Promise<FailureSummary> {
  const spelled = await asSpelled(database, environment, filter);
  const values = [environment, range.from, range.to, coverage.from, coverage.to, ...filterValues(spelled)];
  const found = await tallies(database, FAILURES, values);
  const late = found.filter(({ firstEventAt }) => firstEventAt < minuteOf(range.from));
  return {
    tallies: found.map(({ tally }) => tally),
    lateTallies: new Set(late.map(({ tally }) => tally.kind.key)),
    leftOut: found.length < MOST_TALLIES ? 0 : (await countTallies(database, values)) - found.length,
    counts: await countByVerdict(database, values),
    ...(await countFailedEvents(database, values)),
    ...(await countEvents(database, environment, range, coverage)),
  };
}

const OF_INCIDENTS = 'failures f JOIN incidents i ON i.id = f.incident_id';

const FAILURES = `
  f.environment = $1 AND f.occurred_at BETWEEN $2 AND $3 AND f.event_created_at BETWEEN $4 AND $5
    AND ${filterConditions(6)}`;

async function countTallies(database: Db, values: readonly SqlValue[]): Promise<number> {
  const distinct = `SELECT count(DISTINCT (i.key, f.workflow)) FROM ${OF_INCIDENTS} WHERE ${FAILURES}`;
  return (await database.rows(CountRow, distinct, values))[0]?.count ?? 0;
}

async function countByVerdict(database: Db, values: readonly SqlValue[]): Promise<FailureSummary['counts']> {
  const counts = await database.rows(
    VerdictCount,
    `SELECT f.verdict, count(*) FROM ${OF_INCIDENTS} WHERE ${FAILURES} GROUP BY f.verdict`,
    values,
  );
  return Object.fromEntries(counts.map(({ verdict, count }) => [verdict, count]));
}

/** Counts failed events. An event's failures share its severity, so no event counts in two rows. */
async function countFailedEvents(
  database: Db,
  values: readonly SqlValue[],
): Promise<Pick<FailureSummary, 'failedEvents' | 'bySeverity' | 'critical'>> {
  const rows = await database.rows(
    FailedEvents,
    `SELECT f.severity, count(DISTINCT f.event_key) AS events,
       count(DISTINCT f.event_key) FILTER (WHERE f.critical) AS critical
     FROM ${OF_INCIDENTS} WHERE ${FAILURES} AND i.announcement = 'announced' GROUP BY f.severity`,
    values,
  );
  return {
    failedEvents: rows.reduce((sum, row) => sum + row.events, 0),
    bySeverity: new Map(rows.flatMap(({ severity, events }) => (severity === null ? [] : [[severity, events]]))),
    critical: rows.reduce((sum, row) => sum + row.critical, 0),
  };
}

/** Counts events by whole minutes, including the first and last in full. */
async function countEvents(
  database: Db,
  environment: string,
  range: TimeRange,
  coverage: TimeRange,
): Promise<Pick<FailureSummary, 'eventsChecked' | 'unreadable' | 'workflowEvents'>> {
  const rows = await database.rows(
    WorkflowEvents,
    `SELECT workflow, sum(events) AS events, sum(unreadable) AS unreadable FROM event_counts
     WHERE environment = $1 AND minute >= date_trunc('minute', GREATEST($2::timestamptz, $3::timestamptz), 'UTC')
       AND minute <= LEAST($4::timestamptz, $5::timestamptz)
     GROUP BY workflow`,
    [environment, range.from, coverage.from, range.to, coverage.to],
  );
  return {
    eventsChecked: rows.reduce((sum, row) => sum + row.events, 0),
    unreadable: rows.reduce((sum, row) => sum + row.unreadable, 0),
    workflowEvents: new Map(rows.flatMap(({ workflow, events }) => (workflow === '' ? [] : [[workflow, events]]))),
  };
}

export interface DatedTally {
  readonly tally: Tally;
  readonly firstEventAt: Date;
}

const TallyRow = z
  .object({
    environment: z.string(),
    workflow: z.string().nullable(),
    workflow_name: z.string().nullable(),
    channel: z.string(),
    provider: z.string().nullable(),
    cause_text: z.string(),
    cause_key: z.string(),
    announcement: StoredAnnouncement,
    is_test: z.boolean(),
    incident_id: Count,
    verdicts: z.array(StoredVerdict),
    failures: Count,
    subscribers: Count,
    events: Count,
    first_seen: z.date(),
    last_seen: z.date(),
    severities: z.array(z.string().nullable()),
    critical: z.boolean(),
    event_id: z.string().nullable(),
    transaction_id: z.string(),
    subscriber_id: z.string().nullable(),
    first_event_at: z.date(),
  })
  .transform(
    (row): DatedTally => ({
      tally: {
        kind: keyed({
          environment: row.environment,
          workflow: row.workflow,
          workflowName: row.workflow_name,
          channel: row.channel,
          provider: row.provider,
          cause: { text: row.cause_text, key: row.cause_key },
          announcement: row.announcement,
          isTest: row.is_test,
        }),
        incidentId: row.incident_id,
        verdict: gravest(row.verdicts),
        failures: row.failures,
        subscribers: row.subscribers,
        events: row.events,
        firstSeen: row.first_seen,
        lastSeen: row.last_seen,
        severity: highestSeverity(row.severities),
        critical: row.critical,
        example: { eventId: row.event_id, transactionId: row.transaction_id, subscriberId: row.subscriber_id },
      },
      firstEventAt: row.first_event_at,
    }),
  );

/** The longest list of tallies returned, the critical and the largest first: nobody reads further, and memory stays bounded. */
const MOST_TALLIES = 500;

/** By cause and workflow. `where` is about failures `f` of incidents `i`. */
async function tallies(sql: Db, where: string, values: readonly SqlValue[]): Promise<DatedTally[]> {
  const found = await sql.rows(
    TallyRow,
    `WITH tallied AS (
       SELECT i.key, f.workflow, max(f.incident_id) AS incident_id, count(*) AS failures, count(DISTINCT f.subscriber_id) AS subscribers,
         count(DISTINCT f.event_key) AS events, min(f.occurred_at) AS first_seen, max(f.occurred_at) AS last_seen,
         min(f.event_created_at) AS first_event_at,
         array_agg(DISTINCT f.verdict) AS verdicts, array_agg(DISTINCT f.severity) AS severities,
         bool_or(f.critical) AS critical, max(f.seq) AS newest
       FROM failures f JOIN incidents i ON i.id = f.incident_id WHERE ${where}
       GROUP BY i.key, f.workflow
     )
     SELECT t.*, i.environment, i.channel, i.provider, i.cause_text, i.cause_key, i.announcement, i.is_test,
       newest.workflow_name, newest.event_id, newest.transaction_id, newest.subscriber_id
     FROM tallied t JOIN incidents i ON i.id = t.incident_id JOIN failures newest ON newest.seq = t.newest
     ORDER BY i.is_test, t.critical DESC, t.failures DESC LIMIT ${MOST_TALLIES}`,
    values,
  );
  return found.sort((a, b) => compareTallies(a.tally, b.tally));
}
