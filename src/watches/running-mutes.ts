import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { isQuietAt } from '../lib/time/wall-clock.ts';
import type { Db } from '../store/db.ts';
import { mutes } from '../store/schema.ts';
import type { Watch } from './settings.ts';

export interface Mute {
  by: string;
  from: Date;
  until: Date;
}

export interface WatchMute extends Mute {
  incidentId: number | null;
}

export async function mutesEndingAfter(db: Db, watchId: string, after: Date): Promise<WatchMute[]> {
  const isLater = and(eq(mutes.watchId, watchId), gt(mutes.until, after));
  return db.select().from(mutes).where(isLater).orderBy(sql`incident_id NULLS FIRST`, desc(mutes.until));
}

/** Not in its quiet hours, while it is muted, or about incidents that are all muted. */
export async function maySpeak(
  db: Db,
  { id, settings: { quiet, timeZone } }: Watch,
  now: Date,
  incidentIds: readonly number[] = [],
): Promise<boolean> {
  if (isQuietAt(quiet, timeZone, now)) return false;
  const running = await mutesEndingAfter(db, id, now);
  const isMuted = (id: number | null) => running.some(({ incidentId }) => incidentId === id);
  return !isMuted(null) && (incidentIds.length === 0 || !incidentIds.every(isMuted));
}
