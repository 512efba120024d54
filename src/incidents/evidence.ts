import { addMilliseconds, min, subMilliseconds } from 'date-fns';
import { and, eq, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { FIRST_COVERAGE_MS, type Gap, isWorthReporting, missingIn } from '../coverage/gap.ts';
import { gapsIn } from '../coverage/gaps.ts';
import { lookedTo } from '../coverage/pass-ages.ts';
import { groupBy } from '../lib/group-by.ts';
import { joinedRanges, MINUTE_MS, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import { byLaggingClock, presentRead } from '../lib/time/service-clock.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db, idList } from '../store/db.ts';
import { type IncidentWithOutbreak, withOutbreaks } from './incident-rows.ts';
import { CALM_MS, type Evidence, FEWEST_NEEDED, type Proof, type WorkflowEvidence } from './state.ts';
import { type IncidentRow, incidents } from './tables.ts';

/** An open incident with what shows whether it is over. */
export interface OpenIncident extends IncidentWithOutbreak {
  evidence: Evidence;
}

/** An environment's incidents that aren't over. `horizonMs`: up to which age events are checked again. */
export async function openIncidentsIn(
  db: Db,
  environment: string,
  horizonMs: number,
  now: Date,
): Promise<readonly OpenIncident[]> {
  const isOpen = and(eq(incidents.environment, environment), ne(incidents.state, 'resolved'));
  const open = await withOutbreaks(db, isOpen);
  const [first] = open;
  if (first === undefined) return [];
  // All are of the same environment.
  const present = presentRead(first.read, now);
  // Unconfirmed incidents wait for deliveries alone.
  const lastFailures = open.flatMap(({ incident }) => (incident.state === 'unconfirmed' ? [] : [incident.lastAt]));
  const range = { from: min([now, ...lastFailures]), to: now };
  const gaps = await gapsIn(db, environment, range);
  const unchecked = await uncheckedIn(db, environment, range, gaps);
  // With a second to spare: what is calm by then needs its counts.
  const calmSince = subMilliseconds(present, CALM_MS - SECOND_MS);
  const ids = open.map(({ incident }) => incident.id);
  const workflows = await workflowEvidence(db, ids, calmSince);
  const readings = { checkedTo: present, lookedTo: lookedTo(first.read.readTo, horizonMs, present), unchecked };
  return open.map((row): OpenIncident => {
    const evidence = {
      ...timesOf(row, gaps, now),
      ...readings,
      workflows: workflows.get(row.incident.id) ?? [],
      horizonMs,
      state: row.incident.state,
      proof: proofFor(row.incident, row.outbreak.verdicts),
      failures: row.outbreak.failures,
    };
    return { ...row, evidence };
  });
}

type Times = Pick<Evidence, 'stateAt' | 'lastAt' | 'foundAt'>;

/** In the service's time, whose clock can lag behind. */
function timesOf({ incident, read }: IncidentWithOutbreak, gaps: readonly Gap[], now: Date): Times {
  const { lastAt, lastRecordedAt, stateAt } = incident;
  const { clockAheadMs, coveredFrom } = read;
  const recordedAt = byLaggingClock(lastRecordedAt, clockAheadMs);
  const isInGap = ({ beginsAt, endsAt }: Gap): boolean => beginsAt < recordedAt && (endsAt === null || lastAt < endsAt);
  // What was read late wasn't found late: the service had shown it all along.
  const isReadLate =
    lastAt < addMilliseconds(coveredFrom, FIRST_COVERAGE_MS) ||
    gaps.some((gap) => isWorthReporting(gap, now) && isInGap(gap));
  return {
    stateAt: byLaggingClock(stateAt, clockAheadMs),
    lastAt,
    foundAt: isReadLate ? lastAt : recordedAt,
  };
}

/** What shows that an incident is over. */
function proofFor({ kind, isRecipientFault }: IncidentRow, verdicts: readonly string[]): Proof {
  if (kind !== 'failures' || isRecipientFault) return 'time';
  if (verdicts.length > 0 && verdicts.every((verdict) => verdict === 'stuck')) return 'steps';
  // Later emails can still bounce, so that their delivery is no proof.
  return verdicts.includes('bounced') ? 'time' : 'successes';
}

const MinuteRow = z.object({ minute: z.date() });

/** Gaps, and minutes of which a tenth of the events or more couldn't be read. */
async function uncheckedIn(
  db: Db,
  environment: string,
  range: TimeRange,
  gaps: readonly Gap[],
): Promise<readonly TimeRange[]> {
  const unreadable = await db.rows(
    MinuteRow,
    sql`
      SELECT minute
      FROM event_counts
      WHERE environment = ${environment}
        AND minute >= ${range.from}
      GROUP BY minute
      HAVING sum(unreadable) > 0
        AND 10 * sum(unreadable) >= sum(events + unreadable)`,
  );
  const inGaps = gaps.flatMap((gap) => missingIn(gap, range.to));
  const minutes = unreadable.map(({ minute }) => ({ from: minute, to: addMilliseconds(minute, MINUTE_MS) }));
  return joinedRanges([...inGaps, ...minutes]);
}

const WorkflowRow = z.object({
  ...fields(Count, 'incidentId', 'failures', 'successesBefore', 'successesAfter'),
  workflow: z.string(),
  lastFailedAt: z.date(),
  lastSuccessAt: z.date().nullable(),
  ...fields(Count.nullable(), 'successesNeeded', 'usualPauseMs'),
});

/** Counts `s` of deliveries of a workflow `w` at the place of its incident `i`. */
const IS_OF_WORKFLOW = sql`s.environment = i.environment
  AND s.channel = i.channel
  AND s.provider = coalesce(i.provider, '')
  AND s.workflow = w.workflow`;

/** The median pause between events of a workflow `w`, in the eight days before it failed last. */
const USUAL_PAUSE = sql`
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM length)) * 1000 AS usual_ms
  FROM (
    SELECT minute - lag(minute) OVER (ORDER BY minute) AS length
    FROM event_counts e
    WHERE i.state = 'recovering'
      AND sent.after IS NULL
      AND e.environment = i.environment
      AND e.workflow = w.workflow
      AND e.minute BETWEEN w.last_failed_at - interval '8 days' AND w.last_failed_at
      AND e.events > 0
  ) pauses`;

/**
 * Of each workflow that fails in an incident's newest outbreak: what was delivered after its last failure (`sent`), and what was delivered
 * (`earlier`) and failed (`failed`) before. That is counted since the outbreak began, or since the incident did if it keeps coming back (its third outbreak
 * or a later one); for a day at most.
 * Counting what was before is slow, and decides only where enough was delivered since, or where an
 * incident without a failure after `calmSince` begins to recover. A condition of a join wouldn't save the count, so it's in the subqueries.
 */
async function workflowEvidence(
  db: Db,
  ids: readonly number[],
  calmSince: Date,
): Promise<ReadonlyMap<number, readonly WorkflowEvidence[]>> {
  const rows = await db.rows(
    WorkflowRow,
    sql`
      SELECT
        w.incident_id,
        w.workflow,
        w.last_failed_at,
        w.successes_needed,
        GREATEST(coalesce(failed.failures, 0), 1) AS failures,
        coalesce(earlier.before, 0) AS successes_before,
        coalesce(sent.after, 0) AS successes_after,
        sent.last_at AS last_success_at,
        pause.usual_ms AS usual_pause_ms
      FROM incidents i
      JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak
      JOIN outbreak_workflows w ON w.incident_id = i.id AND w.outbreak = i.outbreak
      CROSS JOIN LATERAL (
        SELECT GREATEST(
          CASE WHEN o.number > 2 THEN i.first_at ELSE o.began_at END,
          i.last_at - interval '1 day') AS at
      ) began
      LEFT JOIN LATERAL (
        SELECT
          sum(s.successes) FILTER (WHERE s.minute > w.last_failed_at) AS after,
          max(s.last_at) AS last_at
        FROM success_counts s
        WHERE ${IS_OF_WORKFLOW}
          AND s.minute >= date_trunc('minute', GREATEST(began.at, w.last_failed_at), 'UTC')
      ) sent ON true
      CROSS JOIN LATERAL (
        SELECT
          coalesce(sent.after, 0) >= GREATEST(${FEWEST_NEEDED}::bigint, w.successes_needed)
            OR (i.state = 'firing' AND (o.failures = 0 OR i.last_at <= ${calmSince})) AS counts
      ) what
      LEFT JOIN LATERAL (
        SELECT count(*) AS failures
        FROM failures f
        WHERE what.counts
          AND f.incident_id = i.id
          AND f.occurred_at >= began.at
          AND coalesce(f.workflow, '') = w.workflow
      ) failed ON true
      LEFT JOIN LATERAL (
        SELECT sum(s.successes) AS before
        FROM success_counts s
        WHERE what.counts
          AND ${IS_OF_WORKFLOW}
          AND s.minute >= date_trunc('minute', began.at, 'UTC')
          AND s.minute <= w.last_failed_at
      ) earlier ON true
      LEFT JOIN LATERAL (${USUAL_PAUSE}) pause ON true
      WHERE i.id IN ${idList(ids)}
        AND NOT i.is_recipient_fault
        AND i.kind = 'failures'`,
  );
  return groupBy(rows, ({ incidentId }) => incidentId);
}
