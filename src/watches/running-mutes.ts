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
export function maySpeak(
  { settings: { quiet, timeZone } }: Watch,
  mutes: readonly WatchMute[],
  now: Date,
  incidentIds: readonly number[] = [],
): boolean {
  if (isQuietAt(quiet, timeZone, now)) return false;
  const isMuted = (id: number | null) => mutes.some(({ incidentId, until }) => incidentId === id && until > now);
  return !isMuted(null) && (incidentIds.length === 0 || !incidentIds.every(isMuted));
}
