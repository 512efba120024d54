import { subDays } from 'date-fns';
import { and, between, desc, eq, gt, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { PageQuery } from '../audit/audit.ts';
import { type FailureFilter, FILTER_NAMES } from '../judging/filter.ts';
import { InputError } from '../lib/errors.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { Count, type Db } from '../store/db.ts';
import { BADNESSES, type Badness, worseOf } from './badness.ts';
import { isCovered, spelledFilter } from './filter-conditions.ts';
import { compareIncidents, type IncidentNow } from './incident.ts';
import type { IncidentRef } from './incident-ref.ts';
import { isCurrentOutbreak } from './incident-rows.ts';
import { incidentsInOrder } from './incidents-now.ts';
import type { IncidentState } from './state.ts';
import { incidents, outbreaks } from './tables.ts';

export async function incidentNow(db: Db, id: number, now: Date): Promise<IncidentNow | null> {
  return (await incidentsInOrder(db, [{ id }], now))[0] ?? null;
}

export async function incidentNumbered(
  db: Db,
  { incidentId: number, code }: IncidentRef,
  now: Date,
): Promise<IncidentNow> {
  const incident = await incidentNow(db, number, now);
  if (incident === null) {
    const what = `There is no incident #${number}.`;
    throw new InputError('incident', what, null, '/notif history lists what is kept.');
  }
  if (code === null || code === incident.code) return incident;
  const what = `This is about another #${number} than today's: it's from before a backup was restored, or of another Notif. Nothing was done.`;
  throw new InputError('incident', what, null, `Today's: /notif #${number}. All open ones: /notif handover.`);
}

const WorkflowRow = z.object({ name: z.string() });

/** What an incident did in all of its outbreaks. */
export interface WholeHit {
  /** The worst first. '': deleted. */
  workflows: readonly string[];
  worst: Badness;
}

const WorstRow = z.object({ worst: z.enum(BADNESSES) });

export async function wholeHit(db: Db, id: number): Promise<WholeHit> {
  const named = await db.rows(
    WorkflowRow,
    sql`
      SELECT coalesce(workflow_name, workflow) AS name
      FROM outbreak_workflows
      WHERE incident_id = ${id}
      GROUP BY 1
      ORDER BY bool_or(critical) DESC, sum(failures) DESC, 1`,
  );
  const outbreaks = await db.rows(WorstRow, sql`SELECT worst FROM outbreaks WHERE incident_id = ${id}`);
  const worst = outbreaks.map((outbreak) => outbreak.worst).reduce(worseOf, 'one');
  return { workflows: named.map(({ name }) => name), worst };
}

const isAnnounced = eq(incidents.verdictClass, 'announced');

export const MOST_OF_EVENT = 10;

export const IdRow = z.object({ id: Count });

/** Returns one more where there are more than MOST_OF_EVENT. */
export async function incidentsOfEvent(
  db: Db,
  environment: string,
  eventKey: string,
  now: Date,
): Promise<readonly IncidentNow[]> {
  const rows = await db.rows(
    IdRow,
    sql`
      SELECT DISTINCT i.id
      FROM failures f
      JOIN incidents i ON i.id = f.incident_id
      WHERE f.environment = ${environment}
        AND f.event_key = ${eventKey}
        AND i.verdict_class = 'announced'
      ORDER BY i.id
      LIMIT ${MOST_OF_EVENT + 1}`,
  );
  return incidentsInOrder(db, rows, now);
}

const isIn = (environments: readonly string[]) => inArray(incidents.environment, [...environments]);

/** An incident that isn't over, without what it takes longer to read. */
export interface OpenRow {
  id: number;
  environment: string;
  isTest: boolean;
  state: IncidentState;
  critical: boolean;
  failures: number;
  lastAt: Date;
  assignedTo: string | null;
  acknowledgedBy: string | null;
}

/** The critical ones first. What nobody saw work again is open for a day. */
export async function openRows(db: Db, environments: readonly string[], now: Date): Promise<readonly OpenRow[]> {
  const { state, lastRecordedAt, id } = incidents;
  const isRecent = or(ne(state, 'unconfirmed'), gt(lastRecordedAt, subDays(now, 1)));
  const isOpen = and(isIn(environments), isAnnounced, ne(state, 'resolved'), gt(outbreaks.failures, 0), isRecent);
  const critical = sql`${outbreaks.criticalSince} IS NOT NULL`;
  const rows = await db
    .select()
    .from(incidents)
    .innerJoin(outbreaks, isCurrentOutbreak)
    .where(isOpen)
    .orderBy(desc(critical), desc(id));
  return rows.map(({ incidents: incident, outbreaks: outbreak }) => ({
    id: incident.id,
    environment: incident.environment,
    isTest: incident.isTest,
    state: incident.state,
    critical: outbreak.criticalSince !== null,
    failures: outbreak.failures,
    lastAt: incident.lastAt,
    assignedTo: incident.assignedTo,
    acknowledgedBy: outbreak.acknowledgedBy,
  }));
}

/** Those that fire come before those that are calm. */
export async function openInOrder(db: Db, environments: readonly string[], now: Date): Promise<readonly OpenRow[]> {
  const rows = await openRows(db, environments, now);
  const place = ({ state }: OpenRow): number => Number(state !== 'firing');
  return rows.toSorted((a, b) => place(a) - place(b) || compareIncidents(a, b));
}

export interface Top<Item> {
  items: readonly Item[];
  more: number;
}

export interface OpenIncidents extends Top<IncidentNow> {
  /** Nobody has acknowledged them, and they are assigned to nobody. */
  unowned: number;
}

export async function openIncidents(
  db: Db,
  environments: readonly string[],
  limit: number,
  now: Date,
): Promise<OpenIncidents> {
  const open = await openInOrder(db, environments, now);
  const unowned = open.filter(({ assignedTo, acknowledgedBy }) => assignedTo === null && acknowledgedBy === null);
  const items = await incidentsInOrder(db, open.slice(0, limit), now);
  return { items, more: Math.max(0, open.length - limit), unowned: unowned.length };
}

export async function resolvedIncidents(
  db: Db,
  environments: readonly string[],
  within: TimeRange,
  limit: number,
): Promise<Top<IncidentNow>> {
  const isResolved = and(eq(incidents.state, 'resolved'), between(incidents.stateAt, within.from, within.to));
  const isListed = and(isIn(environments), isAnnounced, isResolved);
  const total = sql`count(*) OVER ()`.mapWith(Number);
  const resolved = db.select({ id: incidents.id, total }).from(incidents).where(isListed);
  const rows = await resolved.orderBy(desc(incidents.stateAt), desc(incidents.id)).limit(limit);
  return { items: await incidentsInOrder(db, rows, within.to), more: (rows[0]?.total ?? 0) - rows.length };
}

export interface OpenCount {
  firing: number;
  critical: number;
  unconfirmed: number;
}

export function countOpen(open: readonly Pick<OpenRow, 'critical' | 'state'>[]): OpenCount {
  const firing = open.filter(({ state }) => state === 'firing');
  return {
    firing: firing.length,
    critical: firing.filter(({ critical }) => critical).length,
    unconfirmed: open.length - firing.length,
  };
}

export interface HistoryQuery extends Omit<PageQuery, 'environments'> {
  environment: string;
  filter: FailureFilter;
  /** Only what nobody acknowledged, assigned, noted or resolved. */
  isUnseen: boolean;
}

export interface HistoryPage {
  incidents: readonly IncidentNow[];
  hasOlder: boolean;
}

const HistoryRow = IdRow.extend({ subscribers: Count });

/** Somebody acknowledged, assigned, noted or resolved an incident `i`. */
export const IS_LOOKED_AT: SQL = sql`EXISTS (
  SELECT FROM audit a
  WHERE a.incident_id = i.id
    AND a.change ->> 'action' IN ('acknowledged', 'assigned', 'noted', 'resolved'))`;

/** People and failures are of all outbreaks. */
export async function history(db: Db, query: HistoryQuery, now: Date): Promise<HistoryPage> {
  const { environment, filter, since, olderThan, limit } = query;
  const isFiltered = FILTER_NAMES.some((name) => filter[name].length > 0);
  const spelled = await spelledFilter(db, environment, filter);
  const isMatched = sql`EXISTS (SELECT FROM failures f WHERE f.incident_id = i.id AND ${isCovered(spelled)})`;
  const rows = await db.rows(
    HistoryRow,
    sql`
      SELECT
        i.id,
        CASE i.outbreak
          WHEN 1 THEN o.subscribers
          ELSE (SELECT count(DISTINCT subscriber_id) FROM failures WHERE incident_id = i.id)
        END AS subscribers
      FROM incidents i
      JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak
      WHERE i.environment = ${environment}
        AND i.last_recorded_at >= ${since}
        AND i.id < ${olderThan ?? Number.MAX_SAFE_INTEGER}
        AND ${filter.verdicts.length > 0 ? sql`true` : sql`i.verdict_class = 'announced'`}
        AND ${isFiltered ? isMatched : sql`true`}
        AND ${query.isUnseen ? sql`NOT ${IS_LOOKED_AT}` : sql`true`}
      ORDER BY i.id DESC
      LIMIT ${limit + 1}`,
  );
  const people = new Map(rows.map(({ id, subscribers }) => [id, subscribers]));
  const listed = await incidentsInOrder(db, rows.slice(0, limit), now);
  return {
    incidents: listed.map((incident) => ({
      ...incident,
      subscribers: people.get(incident.id) ?? incident.subscribers,
    })),
    hasOlder: rows.length > limit,
  };
}
