import { subDays } from 'date-fns';
import { and, desc, eq, gt, inArray, ne, or, sql } from 'drizzle-orm';
import { knownPeople, type PersonOf } from '../people/identity.ts';
import type { Db } from '../store/db.ts';
import { compareIncidents, type IncidentNow } from './incident.ts';
import { isCurrentOutbreak } from './incident-rows.ts';
import { incidentsInOrder } from './incidents-now.ts';
import { IdRow } from './lists.ts';
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

/** The critical ones first. What is unconfirmed counts as open until a day after its last failure was recorded. */
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
async function openInOrder(db: Db, environments: readonly string[], now: Date): Promise<readonly OpenRow[]> {
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
  /** How many of the firing ones are critical. */
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

/** What is open, for a person. */
export interface Concerning {
  /** Assigned to them, acknowledged by them, or followed. */
  mine: readonly IncidentNow[];
  others: Top<IncidentNow>;
}

/** At most `limit` in all, theirs first. Those of theirs that don't fit count in `others.more`. */
export async function concerning(
  db: Db,
  person: string,
  environments: readonly string[],
  { limit, now }: { limit: number; now: Date },
): Promise<Concerning> {
  const personOf = await knownPeople(db);
  const followed = await followedBy(db, personOf(person) ?? person);
  const open = await openInOrder(db, environments, now);
  const mine = open.filter((row) => followed.has(row.id) || hasIt(row, person, personOf)).slice(0, limit);
  const others = open.filter((row) => !mine.includes(row));
  const shown = others.slice(0, limit - mine.length);
  return {
    mine: await incidentsInOrder(db, mine, now),
    others: { items: await incidentsInOrder(db, shown, now), more: others.length - shown.length },
  };
}

async function followedBy(db: Db, person: string): Promise<ReadonlySet<number>> {
  const rows = await db.rows(
    IdRow,
    sql`
      SELECT f.incident_id AS id
      FROM followers f
      LEFT JOIN person_ids p ON p.id = f.person
      WHERE coalesce(p.person, f.person) = ${person}`,
  );
  return new Set(rows.map(({ id }) => id));
}

const hasIt = ({ assignedTo, acknowledgedBy }: OpenRow, person: string, personOf: PersonOf): boolean =>
  [assignedTo, acknowledgedBy].some((owner) => owner !== null && personOf(owner) === personOf(person));
