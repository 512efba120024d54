import { z } from 'zod';
import type { FailureSummary } from '../../domain/failures/tally.ts';
import { minuteOf } from '../../domain/time/durations.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { StoredVerdict } from '../../incidents/rows.ts';
import { gapsIn } from '../../polling/gaps.ts';
import type { FailureStore } from '../../use-cases/lookups/find-failures.ts';
import type { Database, SqlValue } from '../database/database.ts';
import { Count, CountRow, rowWith } from '../database/row.ts';
import { asSpelled, filterConditions, filterValues } from '../failures/filter-conditions.ts';
import { MOST_TALLIES, tallies } from '../failures/tallies.ts';

const CoverageRow = rowWith({ from: z.date(), to: z.date(), checkedAt: z.date().nullable() });

const VerdictCount = z.object({ verdict: StoredVerdict, count: Count });
const FailedEvents = z.object({ severity: z.string().nullable(), events: Count, critical: Count });
const WorkflowEvents = z.object({ workflow: z.string(), events: Count, unreadable: Count });

export function failureSummaries(database: Database): FailureStore {
  return {
    async coverage(environment) {
      const covered = `SELECT covered_from AS "from", checked_to AS "to", last_success_at AS checked_at FROM environments
        WHERE environment = $1 AND checked_to > covered_from`;
      return (await database.rows(CoverageRow, covered, [environment]))[0] ?? null;
    },
    gapsIn: (environment, range) => gapsIn(database, environment, range),
    async failuresIn(environment, range, coverage, filter) {
      const spelled = await asSpelled(database, environment, filter);
      const asked = [environment, range.from, range.to, coverage.from, coverage.to, ...filterValues(spelled)];
      const found = await tallies(database, FAILURES, asked);
      return {
        tallies: found.map(({ tally }) => tally),
        lateTallies: new Set(
          found.filter((one) => one.firstEventAt < minuteOf(range.from)).map(({ tally }) => tally.kind.key),
        ),
        leftOut: found.length < MOST_TALLIES ? 0 : (await countTallies(database, asked)) - found.length,
        counts: await countByVerdict(database, asked),
        ...(await countFailedEvents(database, asked)),
        ...(await countEvents(database, environment, range, coverage)),
      };
    },
  };
}

const OF_INCIDENTS = 'failures f JOIN incidents i ON i.id = f.incident_id';

const FAILURES = `
  f.environment = $1 AND f.occurred_at BETWEEN $2 AND $3 AND f.event_created_at BETWEEN $4 AND $5
    AND ${filterConditions(6)}`;

async function countTallies(database: Database, asked: readonly SqlValue[]): Promise<number> {
  const distinct = `SELECT count(DISTINCT (i.key, f.workflow)) FROM ${OF_INCIDENTS} WHERE ${FAILURES}`;
  return (await database.rows(CountRow, distinct, asked))[0]?.count ?? 0;
}

async function countByVerdict(database: Database, asked: readonly SqlValue[]): Promise<FailureSummary['counts']> {
  const counts = await database.rows(
    VerdictCount,
    `SELECT f.verdict, count(*) FROM ${OF_INCIDENTS} WHERE ${FAILURES} GROUP BY f.verdict`,
    asked,
  );
  return Object.fromEntries(counts.map(({ verdict, count }) => [verdict, count]));
}

/** Counts failed events. An event's failures share its severity, so no event counts in two rows. */
async function countFailedEvents(
  database: Database,
  asked: readonly SqlValue[],
): Promise<Pick<FailureSummary, 'failedEvents' | 'bySeverity' | 'critical'>> {
  const rows = await database.rows(
    FailedEvents,
    `SELECT f.severity, count(DISTINCT f.event_key) AS events,
       count(DISTINCT f.event_key) FILTER (WHERE f.critical) AS critical
     FROM ${OF_INCIDENTS} WHERE ${FAILURES} AND i.announcement = 'announced' GROUP BY f.severity`,
    asked,
  );
  return {
    failedEvents: rows.reduce((sum, row) => sum + row.events, 0),
    bySeverity: new Map(rows.flatMap(({ severity, events }) => (severity === null ? [] : [[severity, events]]))),
    critical: rows.reduce((sum, row) => sum + row.critical, 0),
  };
}

/** Counts events by whole minutes, including the first and last in full. */
async function countEvents(
  database: Database,
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
