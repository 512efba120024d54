import { addMilliseconds, max, min } from 'date-fns';
import { z } from 'zod';
import { countedIn } from '../coverage/minutes.ts';
import { gravest, type VerdictCounts } from '../failures/failure.ts';
import { type FailureFilter, FILTER_NAMES } from '../failures/filter.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import { StoredVerdict } from '../incidents/incident.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { minuteOf } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import type { CheckNow } from '../polling/check-now.ts';
import { all } from '../service/schema.ts';
import { Count, CountRow, type Db } from '../store/db.ts';
import { coverageIn, movedBy } from './coverage.ts';

export interface Checked {
  environment: Environment;
  range: TimeRange;
  /** `asOf` is the last successful check; `isCurrent`: it began after the question. */
  freshness: { asOf: Date | null; isCurrent: boolean };
  read: TimeRange;
  since: Date | null;
  unchecked: readonly TimeRange[];
  givenUp: readonly TimeRange[];
  trouble: ServiceError | null;
}

export interface FailuresFound extends Checked, FailureSummary {}

export interface CheckedCtx {
  environment: Environment;
  db: Db;
  checkNow: CheckNow;
  now: () => Date;
}

const ASKING_MS = 500;

export async function checkedIn({ environment, db, checkNow, now }: CheckedCtx, range: TimeRange) {
  const askedAt = now();
  const { outcome, problem } = await checkNow(environment.name);
  const { coverage, read, since, toRead, givenUp, after } = await coverageIn(db, environment.name, range);
  const checked: Checked = {
    ...{ environment, range, read, since, givenUp },
    freshness: { asOf: coverage?.checkedAt ?? null, isCurrent: outcome === 'checked' },
    unchecked: [...toRead, ...(after.from < after.to ? [after] : [])],
    trouble: problem && new ServiceError(environment.name, 'listEvents', problem),
  };
  const serviceRange = movedBy(-(coverage?.lagMs ?? 0), toTheEnd(range, askedAt));
  const nothing = { from: range.to, to: new Date(0), lagMs: 0 };
  return { checked, coverage: (read.from < read.to && coverage) || nothing, serviceRange };
}

export async function findFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter): Promise<FailuresFound> {
  const { checked, coverage, serviceRange } = await checkedIn(ctx, range);
  const scope = { range: serviceRange, coverage };
  return { ...checked, ...(await failuresIn(ctx.db, ctx.environment.name, scope, filter)) };
}

function toTheEnd(range: TimeRange, now: Date): TimeRange {
  if (range.to.getTime() < now.getTime() - ASKING_MS) return range;
  return { from: range.from, to: addMilliseconds(now, CLOCK_TOLERANCE_MS) };
}

export type FailureSummary = Awaited<ReturnType<typeof failuresIn>>;

export async function failuresIn(
  db: Db,
  environment: string,
  { range, coverage }: { range: TimeRange; coverage: TimeRange },
  filter: FailureFilter,
) {
  const wanted = await filterValues(db, environment, filter);
  const values = [environment, range.from, range.to, coverage.from, coverage.to, ...wanted];
  const causes = await db.rows(CauseRow, CAUSES, values);
  const verdicts = await db.rows(VerdictCount, VERDICTS, values);
  const counts: VerdictCounts = Object.fromEntries(verdicts.map(({ verdict, count }) => [verdict, count]));
  const [failed] = await db.rows(CountRow, FAILED_EVENTS, values);
  return {
    causes,
    counts,
    failedEvents: failed?.count ?? 0,
    ...(await eventsIn(db, environment, range, coverage)),
  };
}

export async function eventsIn(db: Db, environment: string, range: TimeRange, coverage: TimeRange) {
  // Includes the minute of the end.
  const to = addMilliseconds(min([range.to, coverage.to]), 1);
  const counted = await countedIn(db, environment, { from: minuteOf(max([range.from, coverage.from])), to });
  return { eventsChecked: counted.events, unreadable: counted.unreadable };
}

/** $1 is the environment, $2–$3 the range, $4–$5 the coverage, and the filter's values follow from $6 on. */
export const FAILURES = `
  failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND f.occurred_at BETWEEN $2 AND $3 AND f.event_created_at BETWEEN $4 AND $5
    AND ${filterConditions(6)}`;

const FAILED_EVENTS = `SELECT count(DISTINCT f.event_key) FROM ${FAILURES} AND i.announcement = 'announced'`;

const VerdictCount = z.object({ verdict: StoredVerdict, count: Count });
const VERDICTS = `SELECT f.verdict, count(*) FROM ${FAILURES} GROUP BY f.verdict`;

const CauseRow = z
  .object({
    ...all(Count, 'incidentId', 'failures', 'subscribers'),
    ...all(z.date(), 'firstSeen', 'lastSeen'),
    critical: z.boolean(),
    verdicts: z.array(StoredVerdict),
    transactionId: z.string(),
    ...all(z.string().nullable(), 'eventId', 'subscriberId'),
    workflows: z.array(z.object({ name: z.string(), failures: z.number() })),
  })
  .transform(({ verdicts, eventId, transactionId, subscriberId, ...row }) => ({
    ...row,
    verdict: gravest(verdicts),
    example: { eventId, transactionId, subscriberId },
  }));

export type FoundCause = z.output<typeof CauseRow>;

export const MOST_CAUSES = 500;

export const IS_LISTED = `(i.announcement = 'announced' OR $${6 + FILTER_NAMES.indexOf('verdicts')}::jsonb <> '[]')`;

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
  ORDER BY i.is_test, c.critical DESC, c.failures DESC, c.key LIMIT ${MOST_CAUSES}`;
