import { z } from 'zod';
import type { EnvironmentSummary } from '../../domain/alerting/delivery.ts';
import { type CheckedEnvironment, type SummedIncident, sumUp } from '../../domain/alerting/summary.ts';
import type { VerdictCounts } from '../../domain/failures/failure.ts';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import { pendingOf } from '../../domain/health/headline.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { gapRows } from '../../polling/gap-rows.ts';
import type { NewSummary, SummaryStore } from '../../use-cases/alerting/summarise-day.ts';
import { type Database, jsonOf, type SqlRows } from '../database/database.ts';
import { Count, rowWith, State } from '../database/row.ts';
import { backlogOf } from '../deliveries/backlog.ts';
import type { SummaryDetails } from '../deliveries/summary-content.ts';
import { countedBetween, sumOf } from '../failures/counted-failures.ts';
import { TallyColumns, tallyOf } from '../failures/tallies.ts';
import { partsOf, tallyOfParts, wantedOf } from '../incidents/incident-parts.ts';
import { incidentsNow } from '../incidents/incidents-now.ts';
import { IS_LAST } from '../incidents/neighbours.ts';
import { muted } from '../incidents/outstanding.ts';
import { moveSummaries, type SummedTo } from '../watches/positions.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';

const LastRow = WatchRow.and(rowWith({ lastSummaryDay: z.string().nullable(), summedTo: z.date() })).transform(
  ({ lastSummaryDay: lastDay, summedTo, ...watch }) => ({ watch, lastDay, summedTo }),
);

const CheckedRow = rowWith({
  environment: z.string(),
  coveredFrom: z.date().nullable(),
  checkedTo: z.date().nullable(),
  lastSuccessAt: z.date().nullable(),
  announcedAt: z.date().nullable(),
  behindMs: Count,
  isCatchingUp: z.boolean(),
}).transform(
  ({ coveredFrom: from, checkedTo: to, ...row }): CheckedEnvironment => ({
    ...row,
    coverage: from === null || to === null || to <= from ? null : { from, to },
  }),
);

const PositionRow = z.object({
  environment: z.string(),
  summed_seq: Count,
  seq: Count,
  events: Count,
  unreadable: Count,
  failed_events: Count,
  new_events: Count,
  new_unreadable: Count,
  new_failed_events: Count,
});
type Position = z.output<typeof PositionRow>;

const IncidentRow = TallyColumns.extend({ episode_id: Count, state: State, is_alerted: z.boolean() });

/** How many failures are counted at a time, so that nothing else has to wait. */
const COUNTED_AT_ONCE = 10_000;

export function summaries(database: Database): SummaryStore {
  return {
    lastSummaries: async () => {
      const all = `
        SELECT ${WATCH_COLUMNS}, w.last_summary_day, coalesce(w.summed_to, w.created_at) AS summed_to FROM watches w
        WHERE ended_at IS NULL ORDER BY created_at, id`;
      return database.rows(LastRow, all);
    },
    checked: (environments) => database.rows(CheckedRow, CHECKED, [jsonOf(environments)]),
    writeSummary: (summary, now) => writeSummary(database, summary, now),
  };
}

/** Builds the summary first, then writes it in one short transaction; a quicker replica has written one built from the same data. */
async function writeSummary(
  database: Database,
  { watch, day, range, environments }: NewSummary,
  now: Date,
): Promise<boolean> {
  const about = jsonOf(environments.map(({ environment }) => environment));
  const positions = await database.rows(PositionRow, POSITIONS, [watch.id, about]);
  const summed: EnvironmentSummary[] = [];
  for (const { environment, coverage, delayed } of environments) {
    const position = positions.find((one) => one.environment === environment);
    const gaps = await gapsIn(database, environment, { from: range.from, to: now });
    const counts = position === undefined ? NOTHING_CHECKED : await countsOf(database, watch, position, now);
    summed.push({ environment, coverage, delayed, gaps, ...counts });
  }
  const { environments: _, ...filter } = watch.settings.filter;
  const details: SummaryDetails = {
    timeZone: watch.settings.timeZone,
    filter: { ...ALL_FAILURES, ...filter },
    environments: summed,
    mutes: await muted(database, watch.channel, now),
    pending: pendingOf(await backlogOf(database, watch.id), now),
  };
  return database.withTransaction(async (sql) => {
    if ((await sql.write(TAKE_DAY, [watch.id, day, range.to])) === 0) return false;
    await moveSummaries(sql, watch.id, positions.map(positionNow));
    await sql.write(ADD_SUMMARY, [watch.id, now, range.from, range.to, jsonOf(details)]);
    return true;
  });
}

/** A part of a gap that was tried already waits for its next try, which may be hours away. */
const CHECKED = `
  SELECT asked.environment, c.covered_from, c.checked_to, c.last_success_at, c.announced_at,
    coalesce(c.behind_ms, 0) AS behind_ms, EXISTS (
    SELECT 1 FROM gaps g
    WHERE g.environment = c.environment AND g.closed_at IS NULL AND g.unchecked @? '$[*] ? (@.nextTryAt != null && @.tries == 0)'
  ) AS is_catching_up
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS asked (environment, place)
  LEFT JOIN environments c ON c.environment = asked.environment ORDER BY asked.place`;

function positionNow({ environment, seq, events, unreadable, failed_events: failedEvents }: Position): SummedTo {
  return { environment, seq, events, unreadable, failedEvents };
}

/** Within an environment failures are committed in the order of their numbers, so all up to the newest are there. */
const POSITIONS = `
  SELECT p.environment, p.summed_seq, c.events, c.unreadable, c.failed_events,
    GREATEST(p.summed_seq, (SELECT max(seq) FROM failures f WHERE f.environment = c.environment)) AS seq,
    c.events - p.summed_events AS new_events, c.unreadable - p.summed_unreadable AS new_unreadable,
    c.failed_events - p.summed_failed_events AS new_failed_events
  FROM positions p JOIN environments c USING (environment)
  JOIN jsonb_array_elements_text($2::jsonb) WITH ORDINALITY AS asked (environment, place) USING (environment)
  WHERE p.watch_id = $1 ORDER BY asked.place`;

const TAKE_DAY = `
  UPDATE watches SET last_summary_day = $2, summed_to = $3
  WHERE id = $1 AND ended_at IS NULL AND (last_summary_day IS NULL OR last_summary_day < $2)`;

const ADD_SUMMARY = `
  INSERT INTO messages (watch_id, kind, details, created_at, covered_from, covered_to)
  VALUES ($1, 'summary', $5::jsonb, $2, $3, $4)`;

type Counts = Omit<EnvironmentSummary, 'environment' | 'coverage' | 'delayed' | 'gaps'>;

const NOTHING_CHECKED: Counts = {
  eventsChecked: 0,
  unreadable: 0,
  failedEvents: 0,
  counted: {},
  incidents: { failing: 0, quiet: 0, recovered: 0 },
  open: [],
  belowThreshold: 0,
  largest: [],
};

async function countsOf(sql: SqlRows, watch: Watch, position: Position, now: Date): Promise<Counts> {
  const sums = sumUp(await incidentsSince(sql, watch, position), watch.settings);
  const largest = await incidentsNow(sql, sums.largest, watch.id, now);
  return {
    eventsChecked: position.new_events,
    unreadable: position.new_unreadable,
    failedEvents: position.new_failed_events,
    counted: await countedIn(sql, watch, position),
    incidents: sums.incidents,
    open: sums.open,
    belowThreshold: sums.belowThreshold,
    largest: sums.largest.map((episodeId) => largest.get(episodeId)).filter((one) => one !== undefined),
  };
}

async function incidentsSince(
  sql: SqlRows,
  { id, settings: { filter } }: Watch,
  { environment, summed_seq: summedSeq }: Position,
): Promise<SummedIncident[]> {
  const rows = await sql.rows(IncidentRow, INCIDENTS_SINCE, [id, environment, summedSeq]);
  const ids = rows.map(({ episode_id }) => episode_id);
  const parts = await partsOf(sql, ids, filter);
  return rows.map((row) => {
    const all = parts.get(row.episode_id) ?? [];
    const { wanted, isWhole } = wantedOf(all, filter);
    return {
      episodeId: row.episode_id,
      tally: tallyOfParts(wanted, tallyOf(row), isWhole),
      parts: all.map(({ watchable }) => watchable),
      state: row.state,
      isAlerted: row.is_alerted,
    };
  });
}

const INCIDENTS_SINCE = `
  SELECT g.*, s.id AS episode_id, s.state, s.failures, s.subscribers, s.events, s.first_seen, s.last_seen, s.verdicts,
    s.severities, s.critical, s.event_id, s.transaction_id, s.subscriber_id,
    EXISTS (SELECT 1 FROM announcements a WHERE a.episode_id = s.id AND a.watch_id = $1)
      OR EXISTS (SELECT 1 FROM held_back h WHERE h.episode_id = s.id AND h.watch_id = $1) AS is_alerted
  FROM episodes s JOIN groups g ON g.key = s.group_key
  WHERE s.newest_seq > $3 AND g.environment = $2
    AND ${IS_LAST}`;

async function countedIn(sql: SqlRows, watch: Watch, position: Position): Promise<VerdictCounts> {
  const { environment, summed_seq: from, seq: to } = position;
  let counted: VerdictCounts = {};
  for (let after = from; after < to; after += COUNTED_AT_ONCE) {
    const upTo = Math.min(after + COUNTED_AT_ONCE, to);
    const some = await countedBetween(sql, environment, after, upTo, watch.settings.filter);
    counted = sumOf(counted, some);
  }
  return counted;
}

function gapsIn(sql: SqlRows, environment: string, { from, to }: TimeRange): Promise<Gap[]> {
  return gapRows(sql, GAPS_IN, [environment, from, to]);
}

const GAPS_IN = 'g.environment = $1 AND g.opened_at <= $3 AND (g.closed_at IS NULL OR g.closed_at > $2)';
