import { max, subDays } from 'date-fns';
import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { MatchedSum } from '../incidents/matched.ts';
import type { Db } from '../store/db.ts';
import { alerts, incidents, messages } from '../store/schema.ts';
import { jsonOf } from '../store/values.ts';
import { coveredOf } from '../watches/covered.ts';
import { mutesUntil } from '../watches/mutes.ts';
import { mayCover, type Watch } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import type { Claimed } from './outbox.ts';

type Incident = typeof incidents.$inferSelect;

/** An incident with what a watch was told of it at last, and whether somebody deleted that message. */
export interface News extends Incident {
  readonly last: typeof alerts.$inferSelect | null;
  readonly isGone: boolean;
  /** What failed after it belongs to the current outbreak and wasn't told. */
  readonly afterSeq: number;
}

/** What of it the watch covers since then; null: all. */
export type Covered = News & { readonly matched: MatchedSum | null };

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
  const news = rows.map(({ incidents: incident, last: told, messages: message }) => {
    const afterSeq = Math.max(told?.seq ?? 0, incident.startedSeq);
    return { ...incident, last: told, isGone: message?.state === 'gone', afterSeq };
  });
  return news.filter((row) => mayCover(watch.settings.filter, row));
}

/** What a watch is told by a message that tells of an incident now. Counts are of the current outbreak. */
export function toldNow({ last, matched, ...incident }: Covered) {
  const { recorded, relapses } = incident;
  if (matched === null)
    return { recorded, relapses, seq: incident.newestSeq, matched: incident.failures, critical: incident.critical };
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

/**
 * A watch is told of what a message draws, however long it has waited: what it shows already is no news. What a mute withheld meanwhile is
 * told of at its end.
 */
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
