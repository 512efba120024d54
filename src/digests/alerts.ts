import { max, subDays } from 'date-fns';
import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { MatchedSum } from '../incidents/matched.ts';
import type { Db } from '../store/db.ts';
import { alerts, incidents, messages, watches } from '../store/schema.ts';
import { jsonOf } from '../store/values.ts';
import { coveredOf } from '../watches/covered.ts';
import { mayCover, type Watch, type WatchFilter } from '../watches/settings.ts';

type Alert = typeof alerts.$inferSelect;

/** What a watch was told of an incident at last, and whether somebody deleted that message. */
export type News<Last = Alert | null> = typeof incidents.$inferSelect & {
  readonly last: Last;
  readonly isGone: boolean;
};

/** What of it the watch covers since then; null: all. */
export type Covered<Last = Alert | null> = News<Last> & { readonly matched: MatchedSum | null };

/** How long something waits to be told at most, such as in a mute. */
export const NEWS_DAYS = 8;

/** The incidents that have failed since a watch was last told of them. */
export async function newsFor(db: Db, watch: Watch, environment: string, now: Date): Promise<News[]> {
  const itsAlerts = and(eq(alerts.incidentId, incidents.id), eq(alerts.watchId, watch.id));
  const last = db.select().from(alerts).where(itsAlerts).orderBy(desc(alerts.at)).limit(1).as('last');
  const isRecent = gt(incidents.lastRecordedAt, max([watch.tellsFrom, subDays(now, NEWS_DAYS)]));
  const isUntold = gt(incidents.recorded, sql`coalesce(${last.recorded}, 0)`);
  const isTold = inArray(incidents.announcement, ['announced', 'warning']);
  const rows = await db
    .select()
    .from(incidents)
    .leftJoinLateral(last, sql`true`)
    .leftJoin(messages, eq(messages.id, last.messageId))
    .where(and(eq(incidents.environment, environment), isRecent, isUntold, isTold))
    .orderBy(incidents.id);
  return rows
    .map((row) => ({ ...row.incidents, last: row.last, isGone: row.messages?.state === 'gone' }))
    .filter((row) => mayCover(watch.settings.filter, row));
}

export function coveredBy<Last extends Alert | null>(
  db: Db,
  filter: WatchFilter,
  environment: string,
  news: readonly News<Last>[],
): Promise<Covered<Last>[]> {
  const since = news.map((row) => ({ ...row, afterSeq: Math.max(row.last?.seq ?? 0, row.startedSeq) }));
  return coveredOf(db, filter, environment, since);
}

/** What a watch is told by a message that tells of an incident now. Counts are of the current outbreak. */
export function toldNow({ last, matched, ...incident }: Covered) {
  const { recorded, relapses } = incident;
  if (matched === null) {
    return { recorded, relapses, seq: incident.newestSeq, matched: incident.failures, critical: incident.critical };
  }
  const before = last?.relapses === relapses ? last : { matched: 0, critical: false };
  const critical = matched.critical || before.critical;
  return { recorded, relapses, seq: matched.newestSeq, matched: before.matched + matched.failures, critical };
}

/** When a watch was last told of something that rings, and of anything. */
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
  await tx.write(PUT, [messageId, watchId, jsonOf(told)]);
}

const PUT = `
  INSERT INTO alerts AS a (message_id, incident_id, watch_id, reason, at, recorded, seq, matched, relapses, critical, missed)
  SELECT $1, item."incidentId", $2, item.reason, item.at, item.recorded, item.seq, item.matched, item.relapses, item.critical, item.missed
  FROM jsonb_to_recordset($3::jsonb) AS item ("incidentId" bigint, reason text, at timestamptz, recorded bigint, seq bigint,
    matched bigint, relapses integer, critical boolean, missed bigint)
  WHERE true
  ON CONFLICT (message_id, incident_id) DO UPDATE SET at = EXCLUDED.at, recorded = EXCLUDED.recorded, seq = EXCLUDED.seq,
    matched = EXCLUDED.matched, relapses = EXCLUDED.relapses, critical = EXCLUDED.critical, missed = coalesce(EXCLUDED.missed, a.missed),
    reason = CASE WHEN a.reason = 'single' THEN EXCLUDED.reason ELSE a.reason END`;

/** A watch is told of what a message draws, however long it has waited: what it shows already is no news. */
export async function tellAsDrawn(db: Db, messageId: string): Promise<void> {
  const isDrawn = and(eq(alerts.messageId, messageId), ne(alerts.reason, 'single'));
  const rows = await db
    .select()
    .from(alerts)
    .innerJoin(incidents, eq(incidents.id, alerts.incidentId))
    .innerJoin(watches, eq(watches.id, alerts.watchId))
    .where(and(isDrawn, gt(incidents.recorded, alerts.recorded)));
  const [first] = rows;
  if (first === undefined) return;
  const news = rows.map((row) => ({ ...row.incidents, last: row.alerts, isGone: false }));
  const covered = await coveredBy(db, first.watches.settings.filter, first.incidents.environment, news);
  const told = covered.map((incident) => ({ ...incident.last, ...toldNow(incident) }));
  await putAlerts(db, messageId, first.watches.id, told);
}
