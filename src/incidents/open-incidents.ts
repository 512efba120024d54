import { subDays } from 'date-fns';
import { and, desc, eq, gt, inArray, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { compareIncidents, type IncidentNow } from './incident.ts';
import { isCurrentOutbreak } from './incident-rows.ts';
import { incidentsInOrder } from './incidents-now.ts';
import type { IncidentState } from './state.ts';
import { incidents, outbreaks } from './tables.ts';

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

/** What is critical first. What nobody saw work again is open for a day. */
export async function openRows(db: Db, environments: readonly string[], now: Date): Promise<readonly OpenRow[]> {
  const { state, lastRecordedAt, id, environment, verdictClass } = incidents;
  const isAnnounced = and(inArray(environment, [...environments]), eq(verdictClass, 'announced'));
  const isRecent = or(ne(state, 'unconfirmed'), gt(lastRecordedAt, subDays(now, 1)));
  const isOpen = and(isAnnounced, ne(state, 'resolved'), gt(outbreaks.failures, 0), isRecent);
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

/** What fires comes before what is calm. */
export async function openInOrder(db: Db, environments: readonly string[], now: Date): Promise<readonly OpenRow[]> {
  const rows = await openRows(db, environments, now);
  const place = ({ state }: OpenRow): number => Number(state !== 'firing');
  return rows.toSorted((a, b) => place(a) - place(b) || compareIncidents(a, b));
}

/** The first of a list. */
export interface Top<Item> {
  items: readonly Item[];
  /** So many others are in the list. */
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

export interface OpenCount {
  firing: number;
  /** Of those that fire. */
  critical: number;
  /** All that don't fire, and aren't over yet. */
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
