import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import { z } from 'zod';
import { compareTallies, type VerdictCounts } from '../domain/failures/failure.ts';
import type { FailureFilter } from '../domain/failures/failure-filter.ts';
import { ANNOUNCED_VERDICTS } from '../domain/failures/verdict.ts';
import { type Headline, pendingOf, type UncheckedReason } from '../domain/health/headline.ts';
import { countOpen, type OpenBySeverity, type Outstanding, openSeverity } from '../domain/incidents/outstanding.ts';
import { type Gap, uncheckedOf } from '../domain/polling/gap.ts';
import { joinedRanges, uncheckedIn } from '../domain/time/coverage.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import { coversAll, matchedIn } from '../incidents/matched.ts';
import { incidentsNow } from '../incidents/queries.ts';
import { IncidentRow, StoredVerdict } from '../incidents/rows.ts';
import { asSpelled, filterConditions, filterValues } from '../lookups/filter-conditions.ts';
import { gapsWhere } from '../polling/gaps.ts';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';
import { gaps } from '../store/schema.ts';
import { jsonOf } from '../store/values.ts';
import { muted } from '../watches/mutes.ts';
import { failureFilterOf, mayCover, type Watch } from '../watches/settings.ts';
import type { Addressed } from './message.ts';
import { backlogOf } from './outbox.ts';

/** What a summary is of, kept in its message, with the environments that were configured; the rest is asked for when it is posted. */
export const SummaryAsked = z.object({ from: z.coerce.date(), to: z.coerce.date(), environments: z.array(z.string()) });
export type SummaryAsked = z.output<typeof SummaryAsked>;

export interface SummaryContent extends Addressed {
  readonly kind: 'summary';
  /** From the summary before to this one. */
  readonly range: TimeRange;
  readonly filter: FailureFilter;
  readonly environments: readonly EnvironmentSummary[];
  readonly mutes: Pick<Outstanding, 'mutes' | 'mutedIncidents'>;
  readonly pending: Headline['pending'];
}

export interface EnvironmentSummary {
  readonly environment: string;
  readonly eventsChecked: number;
  readonly unreadable: number;
  readonly failedEvents: number;
  /** Those that watches aren't told of. */
  readonly counted: VerdictCounts;
  /** Incidents that the watch covers and that failed in this time, by their state. */
  readonly incidents: { readonly failing: number; readonly quiet: number; readonly recovered: number };
  readonly open: readonly OpenBySeverity[];
  readonly belowThreshold: number;
  /** At most five. */
  readonly largest: readonly IncidentNow[];
  /** Apart from the gaps; null before the first poll. */
  readonly coverage: TimeRange | null;
  readonly gaps: readonly Gap[];
}

const MOST_LARGEST = 5;

const EnvironmentRow = z.object({ environment: z.string(), covered_from: z.date(), checked_to: z.date() });

export async function summaryContent(
  sql: Db,
  { id, watch }: { readonly id: string; readonly watch: Watch },
  { environments: names, ...range }: SummaryAsked,
  now: Date,
): Promise<Omit<SummaryContent, keyof Addressed>> {
  const { filter } = watch.settings;
  const known = await sql.rows(
    EnvironmentRow,
    'SELECT environment, covered_from, checked_to FROM environments WHERE $1::jsonb ? environment',
    [jsonOf(names)],
  );
  const environments: EnvironmentSummary[] = [];
  for (const environment of names) {
    const row = known.find((one) => one.environment === environment);
    const gaps = await gapsWhere(sql, openIn(environment, range));
    const isRead = row !== undefined && row.checked_to > row.covered_from;
    const coverage = isRead ? { from: row.covered_from, to: row.checked_to } : null;
    environments.push({ environment, coverage, gaps, ...(await countsOf(sql, watch, environment, range, now)) });
  }
  return {
    kind: 'summary',
    range,
    filter: failureFilterOf(filter),
    environments,
    mutes: await muted(sql, watch.channel, now),
    pending: pendingOf(await backlogOf(sql, watch.id, id), now),
  };
}

function openIn(environment: string, { from, to }: TimeRange) {
  const wasOpen = and(lte(gaps.openedAt, to), or(isNull(gaps.closedAt), gt(gaps.closedAt, from)));
  return and(eq(gaps.environment, environment), wasOpen);
}

const EventsRow = z.object({ events: Count, unreadable: Count });
const FailedRow = z.object({ events: Count });
const VerdictRow = z.object({ verdict: StoredVerdict, count: Count });
const IncidentsRow = IncidentRow.and(z.object({ is_told: z.boolean() }));

type Counts = Omit<EnvironmentSummary, 'environment' | 'coverage' | 'gaps'>;

async function countsOf(
  sql: Db,
  watch: Watch,
  environment: string,
  { from, to }: TimeRange,
  now: Date,
): Promise<Counts> {
  const { filter, threshold } = watch.settings;
  const values = [environment, from, to];
  const [checked] = await sql.rows(EventsRow, EVENTS, values);
  const [failed] = await sql.rows(FailedRow, FAILED, [...values, jsonOf(ANNOUNCED_VERDICTS)]);
  const spelled = filterValues(await asSpelled(sql, environment, failureFilterOf(filter)));
  const counted = await sql.rows(VerdictRow, COUNTED, [...values, jsonOf(ANNOUNCED_VERDICTS), ...spelled]);
  const touched = (await sql.rows(IncidentsRow, INCIDENTS, [...values, watch.id])).filter((row) =>
    mayCover(filter, row),
  );
  const matched = coversAll(filter)
    ? null
    : await matchedIn(
        sql,
        environment,
        touched.map(({ id }) => ({ id, afterSeq: 0 })),
        filter,
      );
  const covered = touched.filter(({ id }) => matched === null || matched.has(id));
  const inState = (...states: string[]) => covered.filter(({ state }) => states.includes(state)).length;
  const viewer = { watchId: watch.id, filter };
  const known = await incidentsNow(
    sql,
    covered.map(({ id }) => id),
    viewer,
    now,
  );
  const incidents = [...known.values()];
  const open = incidents.filter(({ state }) => state.is !== 'resolved');
  return {
    eventsChecked: checked?.events ?? 0,
    unreadable: checked?.unreadable ?? 0,
    failedEvents: failed?.events ?? 0,
    counted: Object.fromEntries(counted.map(({ verdict, count }) => [verdict, count])),
    incidents: {
      failing: inState('firing'),
      quiet: inState('unconfirmed'),
      recovered: inState('recovering', 'resolved'),
    },
    open: countOpen(
      open.map(({ state, tally: { critical, severity } }) => {
        return { severity: openSeverity(critical, severity), isFailing: state.is === 'firing', incidents: 1 };
      }),
    ),
    belowThreshold: threshold === null ? 0 : covered.filter(({ is_told }) => !is_told).length,
    largest: incidents.toSorted((a, b) => compareTallies(a.tally, b.tally)).slice(0, MOST_LARGEST),
  };
}

const EVENTS = `
  SELECT coalesce(sum(events), 0) AS events, coalesce(sum(unreadable), 0) AS unreadable FROM event_counts
  WHERE environment = $1 AND minute >= $2 AND minute < $3`;

const FAILED = `
  SELECT count(DISTINCT event_key) AS events FROM failures
  WHERE environment = $1 AND recorded_at >= $2 AND recorded_at < $3 AND $4::jsonb ? verdict`;

/** A watch that asks for warnings is told of them. */
const COUNTED = `
  SELECT f.verdict, count(*) FROM failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND f.recorded_at >= $2 AND f.recorded_at < $3 AND NOT $4::jsonb ? f.verdict AND ${filterConditions(5)}
  GROUP BY f.verdict`;

const INCIDENTS = `
  SELECT i.*, EXISTS (SELECT FROM alerts a WHERE a.incident_id = i.id AND a.watch_id = $4) AS is_told
  FROM incidents i WHERE i.environment = $1 AND i.last_recorded_at >= $2 AND i.first_at < $3 AND i.announcement IN ('announced', 'warning')`;

export function summaryHeadline({ environments, range, mutes, pending }: SummaryContent): Headline {
  const open = environments
    .flatMap((one) => one.open)
    .flatMap(({ severity, failing, quiet }) => [
      { severity, isFailing: true, incidents: failing },
      { severity, isFailing: false, incidents: quiet },
    ]);
  const unchecked = environments.flatMap((one): UncheckedReason[] => {
    const { environment, unreadable: events } = one;
    const windows = uncheckedTime(one, range);
    return [
      ...(windows.length === 0 ? [] : [{ is: 'windows', environment, windows } as const]),
      ...(events === 0 ? [] : [{ is: 'unreadable', environment, events } as const]),
    ];
  });
  if (environments.length === 0) unchecked.push({ is: 'no-environment' });
  return { open: countOpen(open), ...mutes, pending, unchecked, stillChecking: [] };
}

/** Gaps, also from before the range, what is before the first poll's hour, and what is after the last poll. */
export function uncheckedTime({ coverage, gaps }: EnvironmentSummary, range: TimeRange): TimeRange[] {
  const inGaps = gaps.flatMap((gap) => uncheckedOf(gap, range.to)).filter(({ from, to }) => from < to);
  return joinedRanges([...uncheckedIn(range, { coverage, gaps: [] }), ...inGaps]);
}
