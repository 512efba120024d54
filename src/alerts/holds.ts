import { addMilliseconds, min } from 'date-fns';
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { IncidentNow } from '../incidents/incident.ts';
import type { IncidentState } from '../incidents/state.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { Count, type Db, onlyRow, textList } from '../store/db.ts';
import { incidentMute, runningMutes, type WatchMute, watchHold } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import type { CandidateHold } from './decide.ts';
import { type AlertRow, watchAlerts } from './tables.ts';

/** The mute of an incident that is running in one of these watches. */
export async function muteRunningIn(
  db: Db,
  watches: readonly Watch[],
  { id, outbreak, state: { is: state } }: Pick<IncidentNow, 'id' | 'outbreak' | 'state'>,
  now: Date,
): Promise<WatchMute | null> {
  const mutes = await runningMutes(db, now);
  const alerts = await db.select().from(watchAlerts).where(eq(watchAlerts.incidentId, id));
  for (const watch of watches) {
    const alert = alerts.find(({ watchId }) => watchId === watch.id) ?? null;
    const mutesOfWatch = mutes.filter(({ watchId }) => watchId === watch.id);
    const mute = muteOf(mutesOfWatch, { incident: { id, outbreak, state }, alert }, now);
    if (mute !== null) return mute;
  }
  return null;
}

/** An incident with its newest outbreak. */
interface HeldIncident {
  id: number;
  outbreak: number;
  state: IncidentState;
}

export interface HeldAlert {
  incident: HeldIncident;
  /** What the watch has told of it. */
  alert: Pick<AlertRow, 'postedAt'> | null;
}

/** The mute of an incident that is running in a watch, by what the watch has told of it. */
export function muteOf(
  mutes: readonly WatchMute[],
  { incident: { id, outbreak, state }, alert }: HeldAlert,
  now: Date,
): WatchMute | null {
  const muted = { id, outbreak, isOver: state === 'resolved', postedAt: alert?.postedAt ?? null };
  return incidentMute(mutes, muted, now);
}

/** Why a watch holds an incident back now, and until when. */
export function incidentHold(
  watch: Watch,
  mutes: readonly WatchMute[],
  told: HeldAlert,
  now: Date,
): CandidateHold | null {
  const hold = watchHold(watch, mutes, now);
  if (hold !== null) return { ...hold, incidentMutedSince: null };
  const mute = muteOf(mutes, told, now);
  return mute && { why: 'mute', until: mute.until, incidentMutedSince: mute.breaks ? mute.beginsAt : null };
}

/** A message that a hold keeps back. It's asked each minute, since people can end the hold before its time. */
export function heldBack(until: Date, at: Date): { is: 'held'; until: Date } {
  return { is: 'held', until: min([until, addMilliseconds(at, MINUTE_MS)]) };
}

/** What waits for the end of quiet hours and mutes. */
export interface OwedLater {
  incidents: number;
  /** When the first of them is told; null: none waits. */
  until: Date | null;
}

const OwedRow: z.ZodType<OwedLater> = z.object({ incidents: Count, until: z.date().nullable() });

export async function owedLater(db: Db, environments: readonly string[]): Promise<OwedLater> {
  return onlyRow(
    await db.rows(
      OwedRow,
      sql`
        SELECT count(DISTINCT a.incident_id) AS incidents, min(a.due_at) AS until
        FROM watch_alerts a
        JOIN watches w ON w.id = a.watch_id
        WHERE a.environment IN ${textList(environments)}
          AND a.owed_since IS NOT NULL
          AND a.held_by IS NOT NULL
          AND w.ended_at IS NULL`,
    ),
  );
}
