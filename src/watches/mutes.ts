import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { quietUntil } from '../lib/time/wall-clock.ts';
import { Count, type Db } from '../store/db.ts';
import { quietTimes, type Watch } from './settings.ts';
import { type MuteRow, mutes } from './tables.ts';

/** What a watch holds back: everything, or an incident. A mute of a provider or workflow is one of each incident that it is about. */
export interface WatchMute {
  watchId: string;
  /** Null: the whole watch. */
  incidentId: number | null;
  /** Null: it doesn't end with an outbreak. */
  outbreak: number | null;
  mutedBy: string;
  beginsAt: Date;
  until: Date;
  /** It breaks when what it holds back gets worse: a mute of an incident, unless it was planned ahead. */
  breaks: boolean;
}

const WatchMuteRow: z.ZodType<WatchMute> = z.object({
  watchId: z.string(),
  incidentId: Count.nullable(),
  outbreak: z.number().nullable(),
  mutedBy: z.string(),
  beginsAt: z.date(),
  until: z.date(),
  breaks: z.boolean(),
});

/** The mute of an incident breaks when another one turns out to be the same. */
const isUnbroken: SQL = sql`NOT EXISTS (
  SELECT FROM incidents ended
  WHERE ended.continued_as = mutes.incident_id
    AND ended.state_at > mutes.begins_at)`;

/** A workflow's mute holds an incident back in which nothing else fails. */
const ALL_WORKFLOWS_MUTED: SQL = sql`EXISTS (
    SELECT FROM outbreak_workflows failing
    WHERE failing.incident_id = incidents.id
      AND failing.outbreak = incidents.outbreak)
  AND NOT EXISTS (
    SELECT FROM outbreak_workflows failing
    WHERE failing.incident_id = incidents.id
      AND failing.outbreak = incidents.outbreak
      AND lower(mutes.workflow) NOT IN (lower(failing.workflow), lower(coalesce(failing.workflow_name, ''))))`;

function watchMutes(db: Db, isWanted: SQL): Promise<WatchMute[]> {
  return db.rows(
    WatchMuteRow,
    sql`
      SELECT
        watch_id,
        incident_id,
        outbreak,
        muted_by,
        begins_at,
        until,
        incident_id IS NOT NULL AND coalesce(made_at, begins_at) >= begins_at AS breaks
      FROM mutes
      WHERE provider IS NULL
        AND workflow IS NULL
        AND ${isUnbroken}
        AND ${isWanted}
      UNION ALL
      SELECT watch_id, incidents.id, NULL, muted_by, begins_at, until, false
      FROM mutes
      JOIN incidents
        ON (incidents.state <> 'resolved' OR incidents.state_at >= begins_at)
        AND CASE
          WHEN mutes.provider IS NOT NULL THEN lower(incidents.provider) = mutes.provider
          WHEN mutes.workflow IS NOT NULL THEN ${ALL_WORKFLOWS_MUTED}
        END
      WHERE ${isWanted}
      ORDER BY incident_id NULLS FIRST, until DESC`,
  );
}

/** How far back mutes still say why something was held back. */
export const MUTES_FOR_DAYS = 8;

export async function mutesEndingAfter(db: Db, watchId: string, after: Date): Promise<WatchMute[]> {
  return watchMutes(db, sql`watch_id = ${watchId} AND until > ${after}`);
}

export async function runningMutes(db: Db, now: Date): Promise<WatchMute[]> {
  return watchMutes(db, sql`until > ${now}`);
}

/** A watch's mutes as people set them, those planned included. */
export async function mutesSet(db: Db, watchId: string, now: Date): Promise<MuteRow[]> {
  const isLater = and(eq(mutes.watchId, watchId), gt(mutes.until, now), isUnbroken);
  return db.select().from(mutes).where(isLater).orderBy(mutes.beginsAt);
}

/** Why a watch may not post now, and until when. */
export interface Hold {
  why: 'quiet-hours' | 'mute';
  until: Date;
}

/** Why a watch may post nothing now; null: it may. */
export function watchHold({ settings }: Watch, all: readonly WatchMute[], now: Date): Hold | null {
  const mute = all.find(({ incidentId, beginsAt, until }) => incidentId === null && beginsAt <= now && until > now);
  if (mute !== undefined) return { why: 'mute', until: mute.until };
  const until = quietUntil(quietTimes(settings), settings.timeZone, now);
  return until && { why: 'quiet-hours', until };
}

export const isHeld = (watch: Watch, all: readonly WatchMute[], now: Date): boolean =>
  watchHold(watch, all, now) !== null;

/** An incident, as far as it says whether its mute is broken. */
interface MutedIncident {
  id: number;
  outbreak: number;
  isOver: boolean;
  /** When the watch last posted about it. */
  postedAt: Date | null;
}

/** The mute of an incident that is running. One that breaks ends with its outbreak, and with what is posted of the incident since. */
export function incidentMute(
  all: readonly WatchMute[],
  { id, outbreak, isOver, postedAt }: MutedIncident,
  now: Date,
): WatchMute | null {
  const isRunning = (mute: WatchMute): boolean => mute.incidentId === id && mute.beginsAt <= now && mute.until > now;
  const isBroken = ({ breaks, outbreak: mutedOutbreak, beginsAt }: WatchMute): boolean => {
    const isOfAnother = mutedOutbreak !== null && mutedOutbreak !== outbreak;
    const isPosted = postedAt !== null && postedAt > beginsAt;
    return breaks && (isOver || isOfAnother || isPosted);
  };
  return all.find((mute) => isRunning(mute) && !isBroken(mute)) ?? null;
}
