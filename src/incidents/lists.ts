import { subDays } from 'date-fns';
import { and, between, desc, eq, gt, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';

import { type FailureFilter, FILTER_NAMES } from '../failures/filter.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import { asSpelled, filterConditions, filterValues } from '../lookups/filter-conditions.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { failures, incidents } from '../store/schema.ts';
import type { IncidentNow } from './incident.ts';
import { incidentsNow } from './queries.ts';

async function inOrder(db: Db, rows: readonly { readonly id: number }[], now: Date): Promise<IncidentNow[]> {
  const ids = rows.map(({ id }) => id);
  const known = await incidentsNow(db, ids, null, now);
  return ids.flatMap((id) => known.get(id) ?? []);
}

export async function incidentNow(db: Db, id: number, now: Date): Promise<IncidentNow | null> {
  return (await inOrder(db, [{ id }], now))[0] ?? null;
}

const isAnnounced = eq(incidents.announcement, 'announced');

/** The incidents that an event's failures belong to. */
export async function incidentsWith(db: Db, environment: string, eventKey: string, now: Date) {
  const isOfEvent = and(eq(failures.environment, environment), eq(failures.eventKey, eventKey));
  const rows = await db
    .selectDistinct({ id: incidents.id })
    .from(failures)
    .innerJoin(incidents, eq(incidents.id, failures.incidentId))
    .where(and(isOfEvent, isAnnounced))
    .orderBy(incidents.id);
  return inOrder(db, rows, now);
}

const isIn = (environments: readonly string[]) => inArray(incidents.environment, [...environments]);

/** One that nobody could confirm to be over is open for a day. */
export function isOpen(environments: readonly string[], now: Date): SQL | undefined {
  const isRecent = or(ne(incidents.state, 'unconfirmed'), gt(incidents.lastRecordedAt, subDays(now, 1)));
  return and(isIn(environments), isAnnounced, ne(incidents.state, 'resolved'), isRecent);
}

/** What fails before what doesn't, critical and the largest first. */
export const BY_IMPORTANCE = [
  sql`${incidents.state} <> 'firing'`,
  ...[incidents.isTest, desc(incidents.critical), desc(incidents.failures), desc(incidents.lastAt), incidents.id],
];

const total = sql`count(*) OVER ()`.mapWith(Number);

/** The open incidents, page by page. */
export interface OpenIncident extends IncidentNow {
  readonly mutedIn: number;
}

export interface OpenIncidents {
  readonly incidents: readonly OpenIncident[];
  readonly total: number;
}

export async function openIncidents(
  db: Db,
  environments: readonly string[],
  limit: number,
  now: Date,
): Promise<OpenIncidents> {
  const mutedIn = sql`(SELECT count(*) FROM mutes m JOIN watches w ON w.id = m.watch_id
    WHERE m.incident_id = incidents.id AND m.until > ${now} AND w.ended_at IS NULL)`.mapWith(Number);
  const open = isOpen(environments, now);
  const page = await db
    .select({ id: incidents.id, mutedIn })
    .from(incidents)
    .where(open)
    .orderBy(...BY_IMPORTANCE)
    .limit(limit);
  const muted = new Map(page.map((row) => [row.id, row.mutedIn]));
  const shown = await inOrder(db, page, now);
  return {
    incidents: shown.map((incident) => ({ ...incident, mutedIn: muted.get(incident.id) ?? 0 })),
    total: await db.$count(incidents, open),
  };
}

export interface Some<Item> {
  readonly items: readonly Item[];
  readonly more: number;
}

export interface SomeOpen extends Some<IncidentNow> {
  /** Neither assigned nor acknowledged. */
  readonly unowned: number;
}

/** The open incidents, those that nobody has first. */
export async function openByOwner(
  db: Db,
  environments: readonly string[],
  limit: number,
  now: Date,
): Promise<SomeOpen> {
  const isUnowned = sql`${incidents.assignedTo} IS NULL AND ${incidents.acknowledgedBy} IS NULL`;
  const unowned = sql`count(*) FILTER (WHERE ${isUnowned}) OVER ()`.mapWith(Number);
  const rows = await db
    .select({ id: incidents.id, total, unowned })
    .from(incidents)
    .where(isOpen(environments, now))
    .orderBy(sql`NOT (${isUnowned})`, ...BY_IMPORTANCE)
    .limit(limit);
  return { ...(await someOf(db, rows, now)), unowned: rows[0]?.unowned ?? 0 };
}

async function someOf(db: Db, rows: readonly { readonly id: number; readonly total: number }[], now: Date) {
  return { items: await inOrder(db, rows, now), more: (rows[0]?.total ?? 0) - rows.length };
}

/** What was resolved in a time, the last first. */
export async function incidentsOver(
  db: Db,
  environments: readonly string[],
  { from, to }: TimeRange,
  limit: number,
): Promise<Some<IncidentNow>> {
  const isOver = and(eq(incidents.state, 'resolved'), between(incidents.stateAt, from, to));
  const rows = await db
    .select({ id: incidents.id, total })
    .from(incidents)
    .where(and(isIn(environments), isAnnounced, isOver))
    .orderBy(desc(incidents.stateAt), desc(incidents.id))
    .limit(limit);
  return someOf(db, rows, to);
}

/** `unconfirmed`: those without recent failures that aren't resolved. */
export interface OpenCount {
  readonly firing: number;
  readonly critical: number;
  readonly unconfirmed: number;
}

export async function openCount(db: Db, environments: readonly string[], now: Date): Promise<OpenCount> {
  const { critical, state } = incidents;
  return countOpen(await db.select({ critical, state }).from(incidents).where(isOpen(environments, now)));
}

export function countOpen(open: readonly { readonly critical: boolean; readonly state: string }[]): OpenCount {
  const firing = open.filter(({ state }) => state === 'firing');
  return {
    firing: firing.length,
    critical: firing.filter(({ critical }) => critical).length,
    unconfirmed: open.length - firing.length,
  };
}

const IdRow = z.object({ id: Count });

export interface HistoryQuery {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly since: Date;
  /** To go on after a page; null: the first. */
  readonly olderThan: number | null;
  readonly limit: number;
}

/** The incidents that failed since a time, the newest first. */
export async function history(db: Db, query: HistoryQuery, now: Date) {
  const { environment, filter, since, olderThan, limit } = query;
  const announcements = ['announced', ...(filter.verdicts.includes('warning') ? ['warning'] : [])];
  const isFiltered = FILTER_NAMES.some((name) => filter[name].length > 0);
  const having = `AND EXISTS (SELECT FROM failures f WHERE f.incident_id = i.id AND ${filterConditions(6)})`;
  const values = isFiltered ? filterValues(await asSpelled(db, environment, filter)) : [];
  const rows = await db.rows(
    IdRow,
    `SELECT i.id FROM incidents i WHERE i.environment = $1 AND i.last_recorded_at >= $2 AND ($3::bigint IS NULL OR i.id < $3)
       AND $4::jsonb ? i.announcement ${isFiltered ? having : ''} ORDER BY i.id DESC LIMIT $5`,
    [environment, since, olderThan, jsonOf(announcements), limit + 1, ...values],
  );
  return { incidents: await inOrder(db, rows.slice(0, limit), now), hasOlder: rows.length > limit };
}

export type ListedFailure = Pick<
  typeof failures.$inferSelect,
  'eventId' | 'transactionId' | 'subscriberId' | 'occurredAt'
>;

/** An incident's failures, the newest first, of those known when the first page was shown: `upTo` is null for it, then what it returned. */
export async function failuresOf(
  db: Db,
  id: number,
  { upTo, offset, limit }: { readonly upTo: number | null; readonly offset: number; readonly limit: number },
) {
  const newest = { seq: incidents.newestSeq };
  const [incident] = upTo === null ? await db.select(newest).from(incidents).where(eq(incidents.id, id)) : [];
  const last = upTo ?? incident?.seq ?? 0;
  const { eventId, transactionId, subscriberId, occurredAt, seq } = failures;
  const page: ListedFailure[] = await db
    .select({ eventId, transactionId, subscriberId, occurredAt })
    .from(failures)
    .where(and(eq(failures.incidentId, id), lte(seq, last)))
    .orderBy(desc(occurredAt), seq)
    .limit(limit)
    .offset(offset);
  return { failures: page, upTo: last };
}

export interface Affected {
  readonly subscriberId: string;
  readonly failures: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

const AffectedRow = z.object({ subscriberId: z.string(), failures: Count, firstSeen: z.date(), lastSeen: z.date() });
const AFFECTED = `
  SELECT subscriber_id, count(*) AS failures, min(occurred_at) AS first_seen, max(occurred_at) AS last_seen
  FROM failures WHERE incident_id = $1 AND subscriber_id`;

export function mostAffected(db: Db, id: number, limit: number): Promise<Affected[]> {
  const most = `${AFFECTED} IS NOT NULL GROUP BY subscriber_id ORDER BY failures DESC, last_seen DESC, subscriber_id LIMIT $2`;
  return db.rows(AffectedRow, most, [id, limit]);
}

/** By ID, to go on after the last one of a page. */
export function affectedAfter(db: Db, id: number, after: string | null, limit: number): Promise<Affected[]> {
  const page = `${AFFECTED} > $3 GROUP BY subscriber_id ORDER BY subscriber_id LIMIT $2`;
  return db.rows(AffectedRow, page, [id, limit, after ?? '']);
}
