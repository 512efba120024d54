import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { isQuietAt } from '../lib/time/wall-clock.ts';
import type { MuteEndReason } from '../outbox/events.ts';
import { noteInThreads } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import type { Watch } from './settings.ts';
import { mutes } from './tables.ts';

export interface Mute {
  by: string;
  from: Date;
  until: Date;
}

export type WatchMute = Mute & { incidentId: number | null };

export async function mutesEndingAfter(db: Db, watchId: string, after: Date): Promise<WatchMute[]> {
  const isLater = and(eq(mutes.watchId, watchId), gt(mutes.until, after));
  return db.select().from(mutes).where(isLater).orderBy(sql`incident_id NULLS FIRST`, desc(mutes.until));
}

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

export async function copyMutes(tx: Db, id: number, from: number): Promise<void> {
  await tx.write(COPY, [id, from]);
}

const COPY = `
  INSERT INTO mutes (watch_id, incident_id, muted_by, muted_at, until)
  SELECT watch_id, $1, muted_by, muted_at, until FROM mutes WHERE incident_id = $2`;

export async function endMutes(
  tx: Db,
  incidentIds: readonly number[],
  { why, at }: { why: MuteEndReason; at: Date },
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
