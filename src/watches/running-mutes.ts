import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { MuteEndReason } from '../incidents/actions.ts';
import { noteInThreads } from '../incidents/messages.ts';
import { isQuietAt } from '../lib/time/wall-clock.ts';
import type { Db } from '../store/db.ts';
import type { Watch } from './settings.ts';
import { mutes } from './tables.ts';

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

/** Of incidents, in these watches or in all of them; their threads say why. */
export async function endMutes(
  tx: Db,
  incidentIds: readonly number[],
  why: MuteEndReason,
  at: Date,
  watchIds: readonly string[] | null = null,
): Promise<void> {
  if (incidentIds.length === 0) return;
  const isIn = watchIds === null ? undefined : inArray(mutes.watchId, [...watchIds]);
  const isRunning = and(inArray(mutes.incidentId, [...incidentIds]), gt(mutes.until, at), isIn);
  const { watchId, incidentId } = mutes;
  const ended = await tx.update(mutes).set({ until: at }).where(isRunning).returning({ watchId, incidentId });
  for (const mute of ended)
    if (mute.incidentId !== null)
      await noteInThreads(tx, [mute.incidentId], { what: 'unmuted', by: null, at, why }, mute.watchId);
}
