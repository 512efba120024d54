import { subDays } from 'date-fns';
import { and, between, desc, eq, gt, inArray, lte, ne, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { PageQuery } from '../audit/audit.ts';
import { type FailureFilter, FILTER_NAMES } from '../failures/filter.ts';
import { InputError } from '../lib/errors.ts';
import type { IncidentRef } from '../lib/input/typed-values.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { Count, type Db } from '../store/db.ts';
import { filterConditions, filterValues } from './filter-conditions.ts';
import { compareIncidents, type IncidentNow, type IncidentRow } from './incident.ts';
import { incidentsInOrder } from './incidents-now.ts';
import { failures, incidents } from './tables.ts';

export const incidentNow = async (db: Db, id: number, now: Date) =>
  (await incidentsInOrder(db, [{ id }], now))[0] ?? null;

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

const isAnnounced = eq(incidents.verdictClass, 'announced');

export const MOST_OF_EVENT = 10;

/** Returns one more where there are more than MOST_OF_EVENT. */
export const incidentsOfEvent = async (db: Db, environment: string, eventKey: string, now: Date) =>
  incidentsInOrder(db, await db.rows(IdRow, OF_EVENT, [environment, eventKey]), now);

const IdRow = z.object({ id: Count });

const OF_EVENT = `
  SELECT DISTINCT i.id FROM failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND f.event_key = $2 AND i.announcement = 'announced' ORDER BY i.id
  LIMIT ${MOST_OF_EVENT + 1}`;

const isIn = (environments: readonly string[]) => inArray(incidents.environment, [...environments]);

export async function openRows(db: Db, environments: readonly string[], now: Date): Promise<IncidentRow[]> {
  const { state, critical, failures: total, lastRecordedAt, id } = incidents;
  const isRecent = or(ne(state, 'unconfirmed'), gt(lastRecordedAt, subDays(now, 1)));
  const isOpen = and(isIn(environments), isAnnounced, ne(state, 'resolved'), gt(total, 0), isRecent);
  return db.select().from(incidents).where(isOpen).orderBy(desc(critical), desc(id));
}

export type Top<Item> = { items: readonly Item[]; more: number };

export async function openIncidents(db: Db, environments: readonly string[], limit: number, now: Date) {
  const rows = await openRows(db, environments, now);
  const place = ({ state }: (typeof rows)[number]) => Number(state !== 'firing');
  const open = rows.toSorted((a, b) => place(a) - place(b) || compareIncidents(a, b));
  const unowned = open.filter(({ assignedTo, acknowledgedBy }) => assignedTo === null && acknowledgedBy === null);
  const items = await incidentsInOrder(db, open.slice(0, limit), now);
  return { items, more: Math.max(0, open.length - limit), unowned: unowned.length };
}

export async function resolvedIncidents(db: Db, environments: readonly string[], within: TimeRange, limit: number) {
  const isResolved = and(eq(incidents.state, 'resolved'), between(incidents.stateAt, within.from, within.to));
  const isListed = and(isIn(environments), isAnnounced, isResolved);
  const total = sql`count(*) OVER ()`.mapWith(Number);
  const resolved = db.select({ id: incidents.id, total }).from(incidents).where(isListed);
  const rows = await resolved.orderBy(desc(incidents.stateAt), desc(incidents.id)).limit(limit);
  return { items: await incidentsInOrder(db, rows, within.to), more: (rows[0]?.total ?? 0) - rows.length };
}

export type OpenCount = ReturnType<typeof countOpen>;

export function countOpen(open: readonly { critical: boolean; state: string }[]) {
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
}

const HistoryRow = IdRow.extend({ subscribers: Count });

/** `subscribers` is of all outbreaks, as `recorded` is. */
export async function history(db: Db, query: HistoryQuery, now: Date) {
  const { environment, filter, since, olderThan, limit } = query;
  const isFiltered = FILTER_NAMES.some((name) => filter[name].length > 0);
  const isMatched = `AND EXISTS (SELECT FROM failures f WHERE f.incident_id = i.id AND ${filterConditions(6)})`;
  const values = isFiltered ? await filterValues(db, environment, filter) : [];
  const rows = await db.rows(
    HistoryRow,
    `SELECT i.id, CASE i.relapses WHEN 0 THEN i.subscribers
         ELSE (SELECT count(DISTINCT subscriber_id) FROM failures WHERE incident_id = i.id) END AS subscribers
     FROM incidents i WHERE i.environment = $1 AND i.last_recorded_at >= $2 AND ($3::bigint IS NULL OR i.id < $3)
       AND ($4 OR i.announcement = 'announced') ${isFiltered ? isMatched : ''} ORDER BY i.id DESC LIMIT $5`,
    [environment, since, olderThan, filter.verdicts.length > 0, limit + 1, ...values],
  );
  const listed = await incidentsInOrder(db, rows.slice(0, limit), now);
  const incidents = listed.map((incident) => ({ ...incident, ...rows.find(({ id }) => id === incident.id) }));
  return { incidents, hasOlder: rows.length > limit };
}

const { eventId, transactionId, subscriberId, occurredAt } = failures;
const LISTED = { eventId, transactionId, subscriberId, occurredAt };
export type ListedFailure = Pick<typeof failures.$inferSelect, keyof typeof LISTED>;

/** `upTo`: what the first page returned, so that later failures don't shift the others. */
export async function failuresOf(
  db: Db,
  id: number,
  { upTo, offset, limit }: { upTo: number | null; offset: number; limit: number },
) {
  const [incident] = await db.select().from(incidents).where(eq(incidents.id, id));
  const last = upTo ?? incident?.newestSeq ?? 0;
  const isListed = and(eq(failures.incidentId, id), lte(failures.seq, last));
  const newestFirst = db.select(LISTED).from(failures).where(isListed).orderBy(desc(occurredAt), failures.seq);
  const page = await newestFirst.limit(limit).offset(offset);
  return { failures: page, upTo: last };
}

const AffectedRow = z.object({
  subscriberId: z.string(),
  failures: Count,
  firstSeen: z.date(),
  lastSeen: z.date(),
  workflow: z.string(),
  transactionId: z.string(),
  contexts: z.string(),
});
export type Affected = z.output<typeof AffectedRow>;

const ContextRow = z.object({ context: z.string(), subscribers: Count });
export type AffectedContext = z.output<typeof ContextRow>;

export function mostAffectedContexts(db: Db, id: number, limit: number): Promise<AffectedContext[]> {
  const most = `
    SELECT context, count(DISTINCT subscriber_id) AS subscribers FROM failures, unnest(contexts) AS context
    WHERE incident_id = $1 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT $2`;
  return db.rows(ContextRow, most, [id, limit]);
}

export function mostAffected(db: Db, id: number, limit: number): Promise<Affected[]> {
  const most = `
    SELECT subscriber_id, count(*) AS failures, min(occurred_at) AS first_seen, max(occurred_at) AS last_seen,
      coalesce((array_agg(workflow ORDER BY seq DESC))[1], 'deleted workflow') AS workflow,
      (array_agg(transaction_id ORDER BY seq DESC))[1] AS transaction_id,
      (array_agg(array_to_string(contexts, ' ') ORDER BY seq DESC))[1] AS contexts
    FROM failures WHERE incident_id = $1 AND subscriber_id IS NOT NULL
    GROUP BY subscriber_id ORDER BY failures DESC, last_seen DESC, subscriber_id LIMIT $2`;
  return db.rows(AffectedRow, most, [id, limit]);
}
