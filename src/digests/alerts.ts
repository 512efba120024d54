import { max, min, subDays } from 'date-fns';
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { WATCHED } from '../failures/failure.ts';
import { type Matched, matchedIn } from '../incidents/counts.ts';
import type { IncidentRow } from '../incidents/incident.ts';
import type { ReadState } from '../lib/time/service-clock.ts';
import { type Db, jsonOf, rowsOf } from '../store/db.ts';
import { alerts, environments, incidents, messages } from '../store/schema.ts';
import { mutesEndingAfter } from '../watches/running-mutes.ts';
import { coversWholeIncidents, mayCover, type Watch, type WatchFilter } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import type { ClaimedPost } from './outbox.ts';

export interface News extends IncidentRow, ReadState {
  last: typeof alerts.$inferSelect | null;
  isGone: boolean;
  afterSeq: number;
}

/** `counts`: null where the filter covers all. */
export type Covered = News & { counts: Matched | null };

export const NEWS_DAYS = 8;

/** Incidents in which more is recorded than the watch was last told of. What a mute withheld stays news, however often it was prolonged. */
export async function newsFor(db: Db, watch: Watch, environment: string, now: Date) {
  const oldest = subDays(now, NEWS_DAYS);
  const mutes = await mutesEndingAfter(db, watch.id, oldest);
  const since = min([oldest, ...mutes.map(({ from }) => from)]);
  const itsAlerts = and(eq(alerts.incidentId, incidents.id), eq(alerts.watchId, watch.id));
  const last = db.select().from(alerts).where(itsAlerts).orderBy(desc(alerts.at)).limit(1).as('last');
  const isRecent = gt(incidents.lastRecordedAt, max([watch.tellsFrom, since]));
  const isUntold = gt(incidents.recorded, sql`coalesce(${last.recorded}, 0)`);
  const hasAny = gt(incidents.failures, 0);
  const isWatched = inArray(incidents.announcement, [...WATCHED]);
  const rows = await db
    .select()
    .from(incidents)
    .innerJoin(environments, eq(environments.environment, incidents.environment))
    .leftJoinLateral(last, sql`true`)
    .leftJoin(messages, eq(messages.id, last.messageId))
    .where(and(eq(incidents.environment, environment), isRecent, isUntold, hasAny, isWatched))
    .orderBy(incidents.id);
  const all = rows.map(({ incidents: incident, environments: read, last: told, messages: message }): News => {
    const { checkedTo, clockAheadMs } = read;
    const afterSeq = Math.max(told?.seq ?? 0, incident.startedSeq);
    return { ...incident, checkedTo, clockAheadMs, last: told, isGone: message?.state === 'gone', afterSeq };
  });
  return { news: all.filter((row) => mayCover(watch.settings.filter, row)), mutes, since };
}

export async function coveredOf<Row extends News>(
  db: Db,
  filter: WatchFilter,
  environment: string,
  news: readonly Row[],
): Promise<(Row & Covered)[]> {
  if (coversWholeIncidents(filter)) return news.map((row) => ({ ...row, counts: null }));
  const found = await matchedIn(db, environment, news, filter);
  return news.flatMap((row) => {
    const counts = found.get(row.id)?.total;
    return counts === undefined ? [] : [{ ...row, counts }];
  });
}

export function toldNow({ last, counts, ...incident }: Covered) {
  const { recorded, relapses } = incident;
  if (counts === null)
    return { recorded, relapses, seq: incident.newestSeq, matched: incident.failures, critical: incident.critical };
  const before = last?.relapses === relapses ? last : { matched: 0, critical: false };
  const critical = counts.critical || before.critical;
  return { recorded, relapses, seq: counts.newestSeq, matched: before.matched + counts.failures, critical };
}

const LastRow = z.object({ lastAlertAt: z.date().nullable(), lastRungAt: z.date().nullable() });

export async function lastToldOf(db: Db, watchId: string, environment: string): Promise<z.output<typeof LastRow>> {
  return (await db.rows(LastRow, LAST, [watchId, environment]))[0] ?? { lastAlertAt: null, lastRungAt: null };
}

const LAST = `
  SELECT max(a.at) AS last_alert_at, max(a.at) FILTER (WHERE a.reason <> 'single') AS last_rung_at
  FROM alerts a JOIN messages m ON m.id = a.message_id WHERE a.watch_id = $1 AND m.environment = $2`;

type AlertNow = ReturnType<typeof toldNow> &
  Pick<typeof alerts.$inferInsert, 'incidentId' | 'reason' | 'at' | 'missed'>;

/** What the waiting message tells of already keeps its reason. */
export async function putAlerts(tx: Db, messageId: string, watchId: string, told: readonly AlertNow[]): Promise<void> {
  await tx.write(PUT, [rowsOf(told.map((alert) => ({ ...alert, messageId, watchId })))]);
}

const PUT = `
  INSERT INTO alerts AS a SELECT * FROM jsonb_populate_recordset(NULL::alerts, $1::jsonb)
  ON CONFLICT (message_id, incident_id) DO UPDATE SET at = EXCLUDED.at, recorded = EXCLUDED.recorded, seq = EXCLUDED.seq,
    matched = EXCLUDED.matched, relapses = EXCLUDED.relapses, critical = EXCLUDED.critical, missed = coalesce(EXCLUDED.missed, a.missed),
    reason = CASE WHEN a.reason = 'single' THEN EXCLUDED.reason ELSE a.reason END`;

/**
 * A message that waited shows what was recorded meanwhile, so that counts as told, and calls nobody for what is over; what a mute withheld is
 * told at its end.
 */
export async function tellAsDrawn(db: Db, { id, watchId, kind, environment }: ClaimedPost, now: Date): Promise<void> {
  const watch = watchId === null || kind !== 'digest' ? null : await watchWithId(db, watchId);
  if (watch === null) return;
  const { news, mutes } = await newsFor(db, watch, environment, now);
  const wasMuted = (incidentId: number, since: Date) =>
    mutes.some((mute) => mute.until > since && (mute.incidentId === null || mute.incidentId === incidentId));
  const shown = news.flatMap((row) => {
    const { id: incidentId, last } = row;
    const isShown = last?.messageId === id && last.reason !== 'single' && !wasMuted(incidentId, last.at);
    return isShown ? [{ ...row, last }] : [];
  });
  const covered = await coveredOf(db, watch.settings.filter, environment, shown);
  const told = covered.map((row) => ({ ...row.last, ...toldNow(row) }));
  await putAlerts(db, id, watch.id, told);
  await db.write(MENTION, [id, jsonOf(watch.settings.mention)]);
}

const MENTION = `
  UPDATE messages SET content = jsonb_build_object('mention', CASE WHEN EXISTS (
    SELECT FROM alerts a JOIN incidents i ON i.id = a.incident_id
    WHERE a.message_id = $1 AND a.reason <> 'single' AND i.state = 'firing' AND i.acknowledged_by IS NULL
  ) THEN $2::jsonb END) WHERE id = $1`;
