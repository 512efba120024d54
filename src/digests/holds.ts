import { inArray } from 'drizzle-orm';
import type { IncidentRow } from '../incidents/incident.ts';
import { alerts } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import { isMuted, isSilenced, runningMutes } from '../watches/mutes.ts';
import { mayCover, type Watch } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';

export type Hold = 'muted' | 'quiet-hours';

/**
 * Returns the incidents that all their watches hold back now: by mutes alone, or some of them by quiet hours.
 * An incident's watches are those that alerted to it; before the first alert, those that may.
 */
export async function holdsOf(db: Db, incidents: readonly IncidentRow[], now: Date): Promise<Map<number, Hold>> {
  const watches = await watchesIn(db);
  const mutes = await runningMutes(db, now);
  const ids = incidents.map(({ id }) => id);
  const { incidentId, watchId } = alerts;
  const alerted = await db.select({ incidentId, watchId }).from(alerts).where(inArray(incidentId, ids));
  const keys = new Set(alerted.map((alert) => `${alert.incidentId} ${alert.watchId}`));
  const holds = new Map<number, Hold>();
  for (const incident of incidents) {
    const { id } = incident;
    const alerting = watches.filter((watch) => keys.has(`${id} ${watch.id}`));
    const concerned =
      alerting.length > 0 ? alerting : watches.filter(({ settings }) => mayCover(settings.filter, incident));
    const mutesOf = (watch: Watch) => mutes.filter((mute) => mute.watchId === watch.id);
    if (concerned.length === 0 || !concerned.every((watch) => isSilenced(watch, mutesOf(watch), now, [id]))) continue;
    holds.set(id, concerned.every((watch) => isMuted(mutesOf(watch), now, [id])) ? 'muted' : 'quiet-hours');
  }
  return holds;
}
