import { inArray } from 'drizzle-orm';
import type { IncidentWithOutbreak } from '../incidents/incident-rows.ts';
import type { Db } from '../store/db.ts';
import { mayCover } from '../watches/covers.ts';
import { runningMutes, type WatchMute, watchHold } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';
import { alertFinder } from './alert-rows.ts';
import { type HeldAlert, muteOf } from './holds.ts';
import { watchAlerts } from './tables.ts';

/** Why nobody is paged for an incident. */
export type PagerHold = 'muted' | 'quiet-hours';

/**
 * Returns the incidents that all their watches hold back now: by mutes alone, or some of them by quiet hours. An incident's watches are those that
 * alerted to it; before the first alert, those that may.
 */
export async function pagerHolds(
  db: Db,
  rows: readonly IncidentWithOutbreak[],
  now: Date,
): Promise<ReadonlyMap<number, PagerHold>> {
  if (rows.length === 0) return new Map();
  const watches = await watchesIn(db);
  const mutes = await runningMutes(db, now);
  const ids = rows.map(({ incident }) => incident.id);
  const alerts = await db.select().from(watchAlerts).where(inArray(watchAlerts.incidentId, ids));
  const findAlert = alertFinder(alerts);
  const holds = new Map<number, PagerHold>();
  for (const { incident } of rows) {
    const alertOf = (watch: Watch) => findAlert(watch.id, incident.id);
    const alerting = watches.filter((watch) => (alertOf(watch)?.outbreak ?? 0) > 0);
    const concerned =
      alerting.length > 0 ? alerting : watches.filter(({ settings }) => mayCover(settings.filter, incident));
    const reasons = concerned.map((watch) => {
      const mutesOfWatch = mutes.filter(({ watchId }) => watchId === watch.id);
      return pagerHold(watch, mutesOfWatch, { incident, alert: alertOf(watch) }, now);
    });
    if (reasons.length === 0 || reasons.includes(null)) continue;
    holds.set(incident.id, reasons.every((reason) => reason === 'muted') ? 'muted' : 'quiet-hours');
  }
  return holds;
}

/** Why a watch posts nothing of an incident now. Null: it can post. */
function pagerHold(watch: Watch, mutes: readonly WatchMute[], told: HeldAlert, now: Date): PagerHold | null {
  if (muteOf(mutes, told, now) !== null) return 'muted';
  const hold = watchHold(watch, mutes, now);
  return hold && (hold.why === 'mute' ? 'muted' : 'quiet-hours');
}
