import { eq, inArray } from 'drizzle-orm';
import type { IncidentNow } from '../incidents/incident.ts';
import type { IncidentWithOutbreak } from '../incidents/incident-rows.ts';
import type { Db } from '../store/db.ts';
import { holdOf, incidentMute, runningMutes, type WatchMute } from '../watches/mutes.ts';
import { mayCover, type Watch } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';
import { type AlertRow, watchAlerts } from './tables.ts';

export type PagerHold = 'muted' | 'quiet-hours';

/**
 * Returns the incidents that all their watches hold back now: by mutes alone, or some of them by quiet hours. An incident's watches are those that
 * alerted to it; before the first alert, those that may.
 */
export async function holdsOf(
  db: Db,
  rows: readonly IncidentWithOutbreak[],
  now: Date,
): Promise<ReadonlyMap<number, PagerHold>> {
  if (rows.length === 0) return new Map();
  const watches = await watchesIn(db);
  const mutes = await runningMutes(db, now);
  const ids = rows.map(({ incident }) => incident.id);
  const alerts = await db.select().from(watchAlerts).where(inArray(watchAlerts.incidentId, ids));
  const alertByKey = new Map(alerts.map((alert) => [`${alert.incidentId} ${alert.watchId}`, alert]));
  const holds = new Map<number, PagerHold>();
  for (const row of rows) {
    const { incident } = row;
    const alertOf = (watch: Watch) => alertByKey.get(`${incident.id} ${watch.id}`) ?? null;
    const alerting = watches.filter((watch) => (alertOf(watch)?.outbreak ?? 0) > 0);
    const concerned =
      alerting.length > 0 ? alerting : watches.filter(({ settings }) => mayCover(settings.filter, incident));
    const reasons = concerned.map((watch) => {
      const mutesOfWatch = mutes.filter(({ watchId }) => watchId === watch.id);
      return holdBy(watch, mutesOfWatch, { row, alert: alertOf(watch) }, now);
    });
    if (reasons.length === 0 || reasons.includes(null)) continue;
    holds.set(incident.id, reasons.every((reason) => reason === 'muted') ? 'muted' : 'quiet-hours');
  }
  return holds;
}

/** The mute of an incident that is running in one of these watches. */
export async function muteRunningIn(
  db: Db,
  watches: readonly Watch[],
  { id, outbreak, state }: Pick<IncidentNow, 'id' | 'outbreak' | 'state'>,
  now: Date,
): Promise<WatchMute | null> {
  const mutes = await runningMutes(db, now);
  const alerts = await db.select().from(watchAlerts).where(eq(watchAlerts.incidentId, id));
  for (const watch of watches) {
    const { postedAt = null } = alerts.find(({ watchId }) => watchId === watch.id) ?? {};
    const mutesOfWatch = mutes.filter(({ watchId }) => watchId === watch.id);
    const mute = incidentMute(mutesOfWatch, { id, outbreak, isOver: state.is === 'resolved', postedAt }, now);
    if (mute !== null) return mute;
  }
  return null;
}

/** Why a watch posts nothing of an incident now. Null: it can post. */
function holdBy(
  watch: Watch,
  mutes: readonly WatchMute[],
  { row: { incident, outbreak }, alert }: { row: IncidentWithOutbreak; alert: AlertRow | null },
  now: Date,
): PagerHold | null {
  const { id } = incident;
  const isOver = incident.state === 'resolved';
  const incidentFacts = { id, outbreak: outbreak.number, isOver, postedAt: alert?.postedAt ?? null };
  if (incidentMute(mutes, incidentFacts, now) !== null) return 'muted';
  const hold = holdOf(watch, mutes, now);
  return hold === null ? null : hold.why === 'mute' ? 'muted' : 'quiet-hours';
}
