import { max, min, subDays } from 'date-fns';
import { and, desc, eq, gt, gte, inArray, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { coversAll, type Matched, matchedIn } from '../incidents/counts.ts';
import { type IncidentRow, idsIn } from '../incidents/incident.ts';
import type { Environment } from '../lib/environment.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { filterConditions, filterValues } from '../lookups/filter-conditions.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { alerts, environments, incidents, messages } from '../store/schema.ts';
import { mutesUntil } from '../watches/mutes.ts';
import {
  failureFilterOf,
  isAbout,
  mayCover,
  type Threshold,
  type Watch,
  type Watchable,
  type WatchFilter,
  type WatchSettings,
} from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import type { Claimed } from './outbox.ts';

export interface News extends IncidentRow {
  checkedTo: Date;
  clockAheadMs: number | null;
  last: typeof alerts.$inferSelect | null;
  isGone: boolean;
  afterSeq: number;
}

export type Covered = News & { matched: Matched | null };

export const NEWS_DAYS = 8;

export async function newsFor(db: Db, watch: Watch, environment: string, now: Date): Promise<News[]> {
  const itsAlerts = and(eq(alerts.incidentId, incidents.id), eq(alerts.watchId, watch.id));
  const last = db.select().from(alerts).where(itsAlerts).orderBy(desc(alerts.at)).limit(1).as('last');
  const isRecent = gt(incidents.lastRecordedAt, max([watch.tellsFrom, subDays(now, NEWS_DAYS)]));
  const isUntold = gt(incidents.recorded, sql`coalesce(${last.recorded}, 0)`);
  const hasAny = gt(incidents.failures, 0);
  const isTold = inArray(incidents.announcement, ['announced', 'warning']);
  const rows = await db
    .select()
    .from(incidents)
    .innerJoin(environments, eq(environments.environment, incidents.environment))
    .leftJoinLateral(last, sql`true`)
    .leftJoin(messages, eq(messages.id, last.messageId))
    .where(and(eq(incidents.environment, environment), isRecent, isUntold, hasAny, isTold))
    .orderBy(incidents.id);
  const news = rows.map(({ incidents: incident, environments: read, last: told, messages: message }) => {
    const { checkedTo, clockAheadMs } = read;
    const afterSeq = Math.max(told?.seq ?? 0, incident.startedSeq);
    return { ...incident, checkedTo, clockAheadMs, last: told, isGone: message?.state === 'gone', afterSeq };
  });
  return news.filter((row) => mayCover(watch.settings.filter, row));
}

/** Null: all. Of one that has `afterSeq`, only later failures count. */
export async function coveredOf<Row extends Watchable & { id: number; afterSeq?: number }>(
  db: Db,
  filter: WatchFilter,
  environment: string,
  incidents: readonly Row[],
): Promise<(Row & { matched: Matched | null })[]> {
  const rows = incidents.filter((incident) => mayCover(filter, incident));
  if (coversAll(filter)) return rows.map((row) => ({ ...row, matched: null }));
  const since = rows.map(({ id, afterSeq = 0 }) => ({ id, afterSeq }));
  const found = await matchedIn(db, environment, since, filter);
  return rows.flatMap((row) => {
    const matched = found.get(row.id)?.total;
    return matched === undefined ? [] : [{ ...row, matched }];
  });
}

export function toldNow({ last, matched, ...incident }: Covered) {
  const { recorded, relapses } = incident;
  if (matched === null)
    return { recorded, relapses, seq: incident.newestSeq, matched: incident.failures, critical: incident.critical };
  const before = last?.relapses === relapses ? last : { matched: 0, critical: false };
  const critical = matched.critical || before.critical;
  return { recorded, relapses, seq: matched.newestSeq, matched: before.matched + matched.failures, critical };
}

export async function lastToldOf(db: Db, watchId: string) {
  const anyAt = sql<Date | null>`max(${alerts.at})`.mapWith(alerts.at);
  const toldAt = sql<Date | null>`max(${alerts.at}) FILTER (WHERE ${ne(alerts.reason, 'single')})`.mapWith(alerts.at);
  const [last] = await db.select({ toldAt, anyAt }).from(alerts).where(eq(alerts.watchId, watchId));
  return last ?? { toldAt: null, anyAt: null };
}

type AlertNow = ReturnType<typeof toldNow> &
  Pick<typeof alerts.$inferInsert, 'incidentId' | 'reason' | 'at' | 'missed'>;

/** What the waiting message tells of already keeps its reason. */
export async function putAlerts(tx: Db, messageId: string, watchId: string, told: readonly AlertNow[]): Promise<void> {
  const rows = told.map((alert) => {
    return { ...alert, message_id: messageId, incident_id: alert.incidentId, watch_id: watchId };
  });
  await tx.write(PUT, [jsonOf(rows)]);
}

const PUT = `
  INSERT INTO alerts AS a SELECT * FROM jsonb_populate_recordset(NULL::alerts, $1::jsonb)
  ON CONFLICT (message_id, incident_id) DO UPDATE SET at = EXCLUDED.at, recorded = EXCLUDED.recorded, seq = EXCLUDED.seq,
    matched = EXCLUDED.matched, relapses = EXCLUDED.relapses, critical = EXCLUDED.critical, missed = coalesce(EXCLUDED.missed, a.missed),
    reason = CASE WHEN a.reason = 'single' THEN EXCLUDED.reason ELSE a.reason END`;

/** What a mute withheld meanwhile is told at its end. */
export async function tellAsDrawn(db: Db, { id, watchId, kind, environment }: Claimed, now: Date): Promise<void> {
  const watch = watchId === null || kind !== 'digest' ? null : await watchWithId(db, watchId);
  if (watch === null) return;
  const news = await newsFor(db, watch, environment, now);
  const mutes = await mutesUntil(db, watch.id, subDays(now, NEWS_DAYS));
  const wasMuted = (incidentId: number, since: Date) =>
    mutes.some((mute) => mute.until > since && (mute.incidentId === null || mute.incidentId === incidentId));
  const shown = news.filter(
    ({ id: incidentId, last }) => last?.messageId === id && last.reason !== 'single' && !wasMuted(incidentId, last.at),
  );
  const covered = await coveredOf(db, watch.settings.filter, environment, shown);
  const told = covered.flatMap((row) => (row.last === null ? [] : [{ ...row.last, ...toldNow(row) }]));
  await putAlerts(db, id, watch.id, told);
}

/** By a minute's first millisecond. */
interface Minutes {
  failures: Map<number, number>;
  events: Map<number, number>;
  created: Map<number, number[]>;
}

/** A rate counts the events of these minutes or, if more, of those that the failed events were created in. */
function isReached({ failures, withinMs, rate }: Threshold, minutes: Minutes): boolean {
  const length = Math.max(1, Math.ceil(withinMs / MINUTE_MS));
  return [...minutes.failures.keys()].some((last) => {
    const window = Array.from({ length }, (_, ago) => last - ago * MINUTE_MS);
    const failed = sumIn(window, minutes.failures);
    if (failed < failures || rate === null) return failed >= failures;
    const created = new Set(window.flatMap((minute) => minutes.created.get(minute) ?? []));
    return failed >= rate * Math.max(sumIn(window, minutes.events), sumIn([...created], minutes.events));
  });
}

function sumIn(minutes: readonly number[], counts: Minutes['events']): number {
  return minutes.reduce((sum, minute) => sum + (counts.get(minute) ?? 0), 0);
}

const FailedRow = z.object({ id: Count, minute: z.date(), created: z.date(), failures: Count });
const EventsRow = z.object({ id: Count, minute: z.date(), events: Count });

export async function reachedIn(
  db: Db,
  environment: string,
  ids: readonly number[],
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
): Promise<ReadonlySet<number>> {
  if (threshold === null || ids.length === 0) return new Set(ids);
  const values = await filterValues(db, environment, failureFilterOf(filter));
  const failed = await db.rows(FailedRow, FAILED, [jsonOf(ids), ...values]);
  const { rate, withinMs } = threshold;
  const counted = rate === null ? [] : await db.rows(EventsRow, EVENTS, [jsonOf(ids), withinMs / 1_000]);
  const reached = ids.filter((incidentId) => {
    const minutes: Minutes = { failures: new Map(), events: new Map(), created: new Map() };
    for (const { minute, created, failures } of failed.filter(({ id }) => id === incidentId)) {
      const [at, from] = [minute.getTime(), created.getTime()];
      minutes.failures.set(at, (minutes.failures.get(at) ?? 0) + failures);
      if (from < at) minutes.created.set(at, [...(minutes.created.get(at) ?? []), from]);
    }
    for (const { id, minute, events } of counted) if (id === incidentId) minutes.events.set(minute.getTime(), events);
    return isReached(threshold, minutes);
  });
  return new Set(reached);
}

const FAILED = `
  SELECT i.id, date_trunc('minute', f.occurred_at, 'UTC') AS minute, date_trunc('minute', f.event_created_at, 'UTC') AS created,
    count(*) AS failures
  FROM incidents i JOIN failures f ON f.incident_id = i.id
  WHERE i.id IN ${idsIn('$1')} AND ${filterConditions(2)} GROUP BY 1, 2, 3`;

const EVENTS = `
  SELECT i.id, e.minute, sum(e.events) AS events
  FROM incidents i JOIN incident_workflows w ON w.incident_id = i.id
  JOIN event_counts e ON e.environment = i.environment AND e.workflow = w.workflow
    AND e.minute > LEAST(i.first_at, (SELECT min(event_created_at) FROM failures WHERE incident_id = i.id)) - make_interval(secs => $2)
    AND e.minute <= i.last_at
  WHERE i.id IN ${idsIn('$1')} GROUP BY 1, 2`;

interface PreviewCtx {
  db: Db;
  environments: readonly Environment[];
  retentionDays: number;
  now: () => Date;
}

export type Preview = Awaited<ReturnType<typeof previewWatch>>;

const MOST_DAYS = 7;

export async function previewWatch(ctx: PreviewCtx, settings: WatchSettings) {
  const { db, retentionDays } = ctx;
  const to = ctx.now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const names = ctx.environments.map(({ name }) => name).filter((name) => isAbout(settings.filter, name));
  const about = (await db.select().from(environments))
    .filter(({ environment, checkedTo, coveredFrom }) => names.includes(environment) && checkedTo > coveredFrom)
    .map(({ environment, coveredFrom }) => ({ environment, from: max([since, coveredFrom]) }));
  const found = about.map(async ({ environment, from }) => {
    const covered = await coveredSince(db, environment, settings.filter, from);
    const ids = covered.map(({ id }) => id);
    const reached = await reachedIn(db, environment, ids, settings);
    return covered.map((incident) => ({ ...incident, isTold: reached.has(incident.id) }));
  });
  const covered = (await Promise.all(found)).flat();
  const told = covered
    .filter(({ isTold }) => isTold)
    .map(({ id, channel, provider, causeText: cause, recorded, firstAt, matched }) => {
      return { id, channel, provider, cause, failures: matched?.failures ?? recorded, firstAt };
    });
  return {
    range: { from: min([to, ...about.map(({ from }) => from)]), to },
    incidents: told.toSorted((a, b) => b.firstAt.getTime() - a.firstAt.getTime()),
    below: covered.length - told.length,
  };
}

export async function coveredSince(db: Db, environment: string, filter: WatchFilter, since: Date) {
  const isRecent = and(eq(incidents.environment, environment), gte(incidents.lastRecordedAt, since));
  const recent = await db.select().from(incidents).where(isRecent).orderBy(incidents.id);
  return coveredOf(db, filter, environment, recent);
}
