import { subMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { IS_OF_OUTBREAK } from '../incidents/count.ts';
import { isCovered, spelledFilter } from '../incidents/filter-conditions.ts';
import { IS_LOOKED_AT } from '../incidents/history.ts';
import { type Silent, silentIn } from '../incidents/silences.ts';
import type { FailureFilter } from '../judging/filter.ts';
import { lengthOf, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { type Attempts, attemptsIn, shareOf, type Total, totalIn } from '../lookups/attempts.ts';
import { coverageIn } from '../lookups/coverage.ts';
import { type Found, foundIn } from '../lookups/found.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db } from '../store/db.ts';
import { coversSilence } from '../watches/covers.ts';
import type { WatchSettings } from '../watches/settings.ts';

/** An outbreak that began in a week, as far as a watch covers it. */
export interface WeekOutbreak {
  id: number;
  channel: string;
  provider: string | null;
  cause: string;
  beganAt: Date;
  /** Null: it isn't over. */
  endedAt: Date | null;
  acknowledgedAt: Date | null;
  failures: number;
  subscribers: number;
  isLookedAt: boolean;
}

const OutbreakRow: z.ZodType<WeekOutbreak> = z.object({
  ...fields(Count, 'id', 'failures', 'subscribers'),
  ...fields(z.string(), 'channel', 'cause'),
  provider: z.string().nullable(),
  beganAt: z.date(),
  ...fields(z.date().nullable(), 'endedAt', 'acknowledgedAt'),
  isLookedAt: z.boolean(),
});

export interface WeekWorkflow {
  workflow: string;
  attempts: number;
  failed: number;
  p95Ms: number | null;
  /** The week before. */
  before: WorkflowBefore | null;
}

type WorkflowBefore = Omit<WeekWorkflow, 'workflow' | 'before'>;

/** A week of one environment, as far as a watch covers it. */
export interface EnvironmentWeek {
  environment: string;
  missing: readonly TimeRange[];
  incidents: number;
  /** Null, as each workflow's `before`: the week before wasn't checked in full, or isn't kept any more. */
  incidentsBefore: number | null;
  /** Medians, of the outbreaks that were acknowledged and of those that ended. */
  acknowledgedMs: number | null;
  endedMs: number | null;
  notLookedAt: number;
  attempts: number;
  failed: number;
  /** Those that failed or became late, the worst first. */
  workflows: readonly WeekWorkflow[];
  silent: readonly Silent[];
  target: TargetKept | null;
}

export interface TargetKept {
  share: number;
  /** Of the days with attempts. */
  daysKept: number;
  days: number;
}

export interface Week {
  range: TimeRange;
  days: readonly TimeRange[];
  /** What is kept of the database reaches back to this. */
  keptFrom: Date;
}

const EVER: TimeRange = { from: new Date(0), to: new Date('9999-01-01T00:00:00Z') };

export async function weekOf(
  db: Db,
  settings: WatchSettings,
  environment: string,
  { range, days, keptFrom }: Week,
): Promise<EnvironmentWeek> {
  const { filter, target } = settings;
  const before = { from: subMilliseconds(range.from, lengthOf(range)), to: range.from };
  const { missing } = await coverageIn(db, environment, range);
  const hadBefore = before.from >= keptFrom && (await coverageIn(db, environment, before)).missing.length === 0;
  const outbreaks = await outbreaksBegun(db, environment, filter, range);
  const ever = await foundIn(db, environment, { range: EVER, coverage: EVER }, filter);
  // A minute belongs to the time that it begins in.
  const foundDuring = ({ from, to }: TimeRange): Found => ({ ...ever, range: { from, to: subMilliseconds(to, 1) } });
  const now = await attemptsIn(db, 'workflow', foundDuring(range), null);
  const then = hadBefore ? await attemptsIn(db, 'workflow', foundDuring(before), null) : null;
  const daily: Total[] = [];
  if (target !== null) for (const day of days) daily.push(await totalIn(db, foundDuring(day)));
  const silent = await silentIn(db, [environment]);
  return {
    environment,
    missing,
    incidents: incidentsIn(outbreaks).length,
    incidentsBefore: hadBefore ? incidentsIn(await outbreaksBegun(db, environment, filter, before)).length : null,
    acknowledgedMs: median(outbreaks.map(({ beganAt, acknowledgedAt: to }) => to && lengthOf({ from: beganAt, to }))),
    endedMs: median(outbreaks.map(({ beganAt, endedAt: to }) => to && lengthOf({ from: beganAt, to }))),
    notLookedAt: incidentsIn(outbreaks.filter(({ isLookedAt }) => !isLookedAt)).length,
    attempts: attemptsOf(now),
    failed: failedOf(now),
    workflows: worstWorkflows(now, then),
    silent: silent.filter((each) => coversSilence(settings, { ...each, workflowName: each.name })),
    target: target === null ? null : targetKept(target, daily),
  };
}

const incidentsIn = (outbreaks: readonly WeekOutbreak[]): readonly number[] => [
  ...new Set(outbreaks.map(({ id }) => id)),
];

const failedOf = (rows: readonly Total[]): number => rows.reduce((sum, { failed }) => sum + failed, 0);
const attemptsOf = (rows: readonly Total[]): number =>
  rows.reduce((sum, { delivered }) => sum + delivered, failedOf(rows));

export function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const middle = Math.floor(known.length / 2);
  const [lower = 0, upper = 0] = [known[middle - 1], known[middle]];
  if (known.length === 0) return null;
  return known.length % 2 === 1 ? upper : (lower + upper) / 2;
}

/** A day without attempts neither keeps a target nor misses it. */
export function targetKept(share: number, daily: readonly Total[]): TargetKept {
  const days = daily.filter(({ delivered, failed }) => delivered + failed > 0);
  const kept = days.filter((day) => 1 - shareOf(day) >= share);
  return { share, daysKept: kept.length, days: days.length };
}

const MOST_WORKFLOWS = 20;

/** From which on a 95th percentile counts as late, if it is more than twice that of a week ago. */
const LATE_MS = MINUTE_MS;

export function isLate({ p95Ms, before }: Pick<WeekWorkflow, 'p95Ms' | 'before'>): boolean {
  const earlierMs = before?.p95Ms ?? null;
  if (p95Ms === null || earlierMs === null) return false;
  return p95Ms >= LATE_MS && p95Ms > 2 * earlierMs;
}

function worstWorkflows(now: readonly Attempts[], then: readonly Attempts[] | null): readonly WeekWorkflow[] {
  const workflows = now.map((row): WeekWorkflow => {
    const { name: workflow, delivered, failed, p95Ms } = row;
    const was = then?.find(({ name }) => name === workflow);
    const before =
      was === undefined ? null : { attempts: was.delivered + was.failed, failed: was.failed, p95Ms: was.p95Ms };
    return { workflow, attempts: delivered + failed, failed, p95Ms, before };
  });
  const share = ({ attempts, failed }: WeekWorkflow): number => shareOf({ delivered: attempts - failed, failed });
  return workflows
    .filter((row) => row.failed > 0 || isLate(row))
    .toSorted((a, b) => share(b) - share(a) || b.failed - a.failed)
    .slice(0, MOST_WORKFLOWS);
}

/** Outbreaks of silences aren't counted: nothing failed in them, and they are shown on their own. */
const IS_COUNTED: SQL = sql`i.kind <> 'silence'
  AND NOT i.is_test
  AND i.verdict_class = 'announced'`;

/** The outbreaks that began in a range, as far as a filter covers them. */
export async function outbreaksBegun(
  db: Db,
  environment: string,
  filter: FailureFilter,
  { from, to }: TimeRange,
): Promise<readonly WeekOutbreak[]> {
  const covered = isCovered(await spelledFilter(db, environment, filter));
  return db.rows(
    OutbreakRow,
    sql`
      SELECT
        i.id,
        i.channel,
        i.provider,
        coalesce(i.headline, i.cause_text) AS cause,
        o.began_at,
        o.ended_at_service AS ended_at,
        o.acknowledged_at,
        count(f.seq) AS failures,
        count(DISTINCT f.subscriber_id) AS subscribers,
        ${IS_LOOKED_AT} AS is_looked_at
      FROM outbreaks o
      JOIN incidents i ON i.id = o.incident_id
      LEFT JOIN failures f ON ${IS_OF_OUTBREAK} AND ${covered}
      WHERE o.environment = ${environment}
        AND o.began_at >= ${from}
        AND o.began_at < ${to}
        AND ${IS_COUNTED}
      GROUP BY i.id, o.incident_id, o.number
      HAVING i.kind <> 'failures' OR count(f.seq) > 0
      ORDER BY o.began_at`,
  );
}
