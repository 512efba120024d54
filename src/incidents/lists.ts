import { subDays } from 'date-fns';
import { z } from 'zod';
import { highestSeverity } from '../domain/failures/failure.ts';
import { type FailureFilter, FILTER_NAMES } from '../domain/failures/failure-filter.ts';
import type { EndingMute, Some, SomeOpen } from '../domain/health/handover.ts';
import type { OpenIncidents } from '../domain/health/home.ts';
import { countOpen, type Outstanding, openSeverity } from '../domain/incidents/outstanding.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import { asSpelled, filterConditions, filterValues } from '../lookups/filter-conditions.ts';
import type { ProviderNow } from '../lookups/integrations.ts';
import type { Db } from '../store/db.ts';
import { Count, rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { attemptsOf } from './attempts.ts';
import { type IncidentNow, SHARE_MS } from './incident.ts';
import { type IncidentNotes, notesOf } from './memories.ts';
import { incidentsNow } from './queries.ts';

const IdRow = z.object({ id: Count });

async function inOrder(sql: Db, ids: readonly number[], now: Date): Promise<IncidentNow[]> {
  const known = await incidentsNow(sql, ids, null, now);
  return ids.flatMap((id) => known.get(id) ?? []);
}

export async function incidentNow(sql: Db, id: number, now: Date): Promise<IncidentNow | null> {
  return (await inOrder(sql, [id], now))[0] ?? null;
}

/** The incidents that an event's failures belong to. */
export async function incidentsWith(sql: Db, environment: string, eventKey: string, now: Date) {
  const some = `
    SELECT DISTINCT f.incident_id AS id FROM failures f JOIN incidents i ON i.id = f.incident_id
    WHERE f.environment = $1 AND f.event_key = $2 AND i.announcement = 'announced' ORDER BY 1`;
  const rows = await sql.rows(IdRow, some, [environment, eventKey]);
  return inOrder(
    sql,
    rows.map(({ id }) => id),
    now,
  );
}

/** One that nobody could confirm to be over is open for a day. */
const OPEN = `
  FROM incidents i WHERE $1::jsonb ? i.environment AND i.announcement = 'announced' AND i.state <> 'resolved'
    AND (i.state <> 'unconfirmed' OR i.last_recorded_at > $2)`;

/** What fails before what doesn't, critical and the largest first. */
const IN_ORDER = `i.state <> 'firing', i.is_test, i.critical DESC, i.failures DESC, i.last_at DESC, i.id`;

const CountRow = z.object({ count: Count });
const OpenRow = z.object({ id: Count, muted_in: Count });

/** The open incidents, page by page. */
export async function openIncidents(
  sql: Db,
  environments: readonly string[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
  now: Date,
): Promise<OpenIncidents> {
  const values = [jsonOf(environments), subDays(now, 1)];
  const [counted] = await sql.rows(CountRow, `SELECT count(*) ${OPEN}`, values);
  const page = await sql.rows(
    OpenRow,
    `SELECT i.id, (SELECT count(*) FROM mutes m JOIN watches w ON w.id = m.watch_id
       WHERE m.incident_id = i.id AND m.until > $3 AND w.ended_at IS NULL) AS muted_in
     ${OPEN} ORDER BY ${IN_ORDER} LIMIT $4 OFFSET $5`,
    [...values, now, limit, offset],
  );
  const known = await incidentsNow(
    sql,
    page.map(({ id }) => id),
    null,
    now,
  );
  const incidents = page.flatMap(({ id, muted_in: mutedIn }) => {
    const incident = known.get(id);
    return incident === undefined ? [] : [{ ...incident, mutedIn }];
  });
  return { incidents, offset, total: counted?.count ?? 0 };
}

const OwnedRow = z.object({ id: Count, total: Count, unowned: Count });

/** The open incidents, those that nobody has first. */
export async function openByOwner(
  sql: Db,
  environments: readonly string[],
  limit: number,
  now: Date,
): Promise<SomeOpen> {
  const isUnowned = 'i.assigned_to IS NULL AND i.acknowledged_by IS NULL';
  const rows = await sql.rows(
    OwnedRow,
    `SELECT i.id, count(*) OVER () AS total, count(*) FILTER (WHERE ${isUnowned}) OVER () AS unowned
     ${OPEN} ORDER BY NOT (${isUnowned}), ${IN_ORDER} LIMIT $3`,
    [jsonOf(environments), subDays(now, 1), limit],
  );
  const { total = 0, unowned = 0 } = rows[0] ?? {};
  const items = await inOrder(
    sql,
    rows.map(({ id }) => id),
    now,
  );
  return { items, more: total - rows.length, unowned };
}

const OverRow = z.object({ id: Count, total: Count });

/** What was resolved in a time, the last first. */
export async function incidentsOver(
  sql: Db,
  environments: readonly string[],
  { from, to }: TimeRange,
  limit: number,
): Promise<Some<IncidentNow>> {
  const rows = await sql.rows(
    OverRow,
    `SELECT i.id, count(*) OVER () AS total FROM incidents i
     WHERE $1::jsonb ? i.environment AND i.announcement = 'announced' AND i.state = 'resolved' AND i.state_at BETWEEN $2 AND $3
     ORDER BY i.state_at DESC, i.id DESC LIMIT $4`,
    [jsonOf(environments), from, to, limit],
  );
  const items = await inOrder(
    sql,
    rows.map(({ id }) => id),
    to,
  );
  return { items, more: (rows[0]?.total ?? 0) - rows.length };
}

const SeverityRow = z.object({
  critical: z.boolean(),
  severities: z.array(z.string()),
  is_failing: z.boolean(),
  incidents: Count,
});

export async function openBySeverity(
  sql: Db,
  environments: readonly string[],
  now: Date,
): Promise<Outstanding['open']> {
  const rows = await sql.rows(
    SeverityRow,
    `SELECT i.critical, i.severities, i.state = 'firing' AS is_failing, count(*) AS incidents ${OPEN} GROUP BY 1, 2, 3`,
    [jsonOf(environments), subDays(now, 1)],
  );
  return countOpen(
    rows.map(({ critical, severities, is_failing: isFailing, incidents }) => {
      return { severity: openSeverity(critical, highestSeverity(severities)), isFailing, incidents };
    }),
  );
}

const EndingRow = rowWith({
  watchChannel: z.string(),
  mutedBy: z.string(),
  until: z.date(),
  environment: z.string().nullable(),
  channel: z.string().nullable(),
  provider: z.string().nullable(),
  watches: Count,
  total: Count,
});

const COVERED = "coalesce(w.settings #> '{filter,environments}', '[]')";

/** The mutes that end in a time, the next first: of incidents of some environments, and of watches that cover any of them. */
export async function endingMutes(
  sql: Db,
  environments: readonly string[],
  { from, to }: TimeRange,
  limit: number,
): Promise<Some<EndingMute>> {
  const rows = await sql.rows(
    EndingRow,
    `SELECT w.channel AS watch_channel, m.muted_by, m.until, i.environment, i.channel, i.provider,
       count(*) AS watches, count(*) OVER () AS total
     FROM mutes m JOIN watches w ON w.id = m.watch_id LEFT JOIN incidents i ON i.id = m.incident_id
     WHERE m.until > $2 AND m.until <= $3 AND w.ended_at IS NULL AND CASE WHEN i.id IS NOT NULL THEN $1::jsonb ? i.environment
       ELSE ${COVERED} = '[]' OR ${COVERED} ?| ARRAY(SELECT jsonb_array_elements_text($1::jsonb)) END
     GROUP BY w.channel, m.muted_by, m.until, i.id ORDER BY m.until, min(m.id) LIMIT $4`,
    [jsonOf(environments), from, to, limit],
  );
  const items = rows.map(({ environment, channel, provider, watches, ...row }): EndingMute => {
    const isWatch = environment === null || channel === null;
    const muted = isWatch ? { watches } : { environment, channel, provider };
    return { channel: row.watchChannel, muted, by: row.mutedBy, until: row.until };
  });
  return { items, more: (rows[0]?.total ?? 0) - rows.length };
}

export interface HistoryQuery {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly since: Date;
  /** To go on after a page; null: the first. */
  readonly olderThan: number | null;
  readonly limit: number;
}

export interface PastIncident extends IncidentNotes {
  readonly now: IncidentNow;
}

const MOST_NOTES = 3;

/** The incidents that failed since a time, the newest first. */
export async function history(sql: Db, query: HistoryQuery, now: Date) {
  const { environment, filter, since, olderThan, limit } = query;
  const announcements = ['announced', ...(filter.verdicts.includes('warning') ? ['warning'] : [])];
  const isFiltered = FILTER_NAMES.some((name) => filter[name].length > 0);
  const having = `AND EXISTS (SELECT FROM failures f WHERE f.incident_id = i.id AND ${filterConditions(6)})`;
  const values = isFiltered ? filterValues(await asSpelled(sql, environment, filter)) : [];
  const rows = await sql.rows(
    IdRow,
    `SELECT i.id FROM incidents i WHERE i.environment = $1 AND i.last_recorded_at >= $2 AND ($3::bigint IS NULL OR i.id < $3)
       AND $4::jsonb ? i.announcement ${isFiltered ? having : ''} ORDER BY i.id DESC LIMIT $5`,
    [environment, since, olderThan, jsonOf(announcements), limit + 1, ...values],
  );
  const ids = rows.slice(0, limit).map(({ id }) => id);
  const notes = await notesOf(sql, ids, MOST_NOTES);
  const incidents = (await inOrder(sql, ids, now)).map((incident): PastIncident => {
    return { now: incident, ...(notes.get(incident.id) ?? { notes: [], moreNotes: 0 }) };
  });
  return { incidents, hasOlder: rows.length > limit };
}

export interface ListedFailure {
  readonly eventId: string | null;
  readonly transactionId: string;
  readonly subscriberId: string | null;
  readonly occurredAt: Date;
}

const FailureRow = rowWith({
  eventId: z.string().nullable(),
  transactionId: z.string(),
  subscriberId: z.string().nullable(),
  occurredAt: z.date(),
});

/** An incident's failures, the newest first, of those known when the first page was shown: `upTo` is null for it, then what it returned. */
export async function failuresOf(
  sql: Db,
  id: number,
  { upTo, offset, limit }: { readonly upTo: number | null; readonly offset: number; readonly limit: number },
) {
  const newest = 'SELECT newest_seq AS id FROM incidents WHERE id = $1';
  const last = upTo ?? (await sql.rows(IdRow, newest, [id]))[0]?.id ?? 0;
  const page = `SELECT event_id, transaction_id, subscriber_id, occurred_at FROM failures WHERE incident_id = $1 AND seq <= $2
    ORDER BY occurred_at DESC, seq OFFSET $3 LIMIT $4`;
  return { failures: await sql.rows(FailureRow, page, [id, last, offset, limit]), upTo: last };
}

export interface Affected {
  readonly subscriberId: string;
  readonly failures: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

const AffectedRow = rowWith({ subscriberId: z.string(), failures: Count, firstSeen: z.date(), lastSeen: z.date() });
const AFFECTED = `
  SELECT subscriber_id, count(*) AS failures, min(occurred_at) AS first_seen, max(occurred_at) AS last_seen
  FROM failures WHERE incident_id = $1 AND subscriber_id`;

export function mostAffected(sql: Db, id: number, limit: number): Promise<Affected[]> {
  const most = `${AFFECTED} IS NOT NULL GROUP BY subscriber_id ORDER BY failures DESC, last_seen DESC, subscriber_id LIMIT $2`;
  return sql.rows(AffectedRow, most, [id, limit]);
}

/** By ID, to go on after the last one of a page. */
export function affectedAfter(sql: Db, id: number, after: string | null, limit: number): Promise<Affected[]> {
  return sql.rows(AffectedRow, `${AFFECTED} > $3 GROUP BY subscriber_id ORDER BY subscriber_id LIMIT $2`, [
    id,
    limit,
    after ?? '',
  ]);
}

const PlaceRow = z.object({ id: Count, channel: z.string(), provider: z.string().nullable(), last_at: z.date() });
const MOST_A_PROVIDER = 2;

/** How the providers with open incidents did in the last five minutes. */
export async function failingProviders(sql: Db, environment: string, now: Date): Promise<ProviderNow[]> {
  const rows = await sql.rows(PlaceRow, `SELECT i.id, i.channel, i.provider, i.last_at ${OPEN} ORDER BY ${IN_ORDER}`, [
    jsonOf([environment]),
    subDays(now, 1),
  ]);
  const window = { from: new Date(now.getTime() - SHARE_MS), to: now };
  const places = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) {
    const key = JSON.stringify([row.channel, row.provider]);
    places.set(key, [...(places.get(key) ?? []), row]);
  }
  const firsts = [...places.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
  const tried = await attemptsOf(
    sql,
    firsts.map(({ id, channel, provider }) => ({ id, environment, channel, provider, ...window })),
  );
  const known = await incidentsNow(
    sql,
    [...places.values()].flatMap((some) => some.slice(0, MOST_A_PROVIDER).map(({ id }) => id)),
    null,
    now,
  );
  return [...places.values()].flatMap((some): ProviderNow[] => {
    const [first] = some;
    const attempts = first === undefined ? undefined : tried.get(first.id);
    if (first === undefined || attempts === undefined || attempts.refused === 0) return [];
    return [
      {
        ...{ channel: first.channel, provider: first.provider, window },
        ...{ failures: attempts.refused, attempts: attempts.total.tried },
        incidents: some.flatMap(({ id }) => known.get(id) ?? []).slice(0, MOST_A_PROVIDER),
      },
    ];
  });
}
