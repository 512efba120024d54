import { isEqual } from 'date-fns';
import { and, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ActCtx, lockIncident } from '../incidents/actions.ts';
import { renewVersions } from '../incidents/incident-rows.ts';
import { recordAct } from '../incidents/record-act.ts';
import type { IncidentRow } from '../incidents/tables.ts';
import { storableText } from '../lib/text/shown-id.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { quietUntil } from '../lib/time/wall-clock.ts';
import type { Workspace } from '../lib/workspace.ts';
import { Count, type Db } from '../store/db.ts';
import type { MuteTime } from './parse-mute.ts';
import { quietTimes, type Watch } from './settings.ts';
import { type MuteRow, mutes } from './tables.ts';
import { lockedWatch, recordOnWatch } from './watches.ts';

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
  /** It breaks when what it holds back gets worse. */
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
  SELECT FROM incidents younger
  WHERE younger.continued_as = mutes.incident_id
    AND younger.state_at > mutes.begins_at)`;

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
      SELECT watch_id, incident_id, outbreak, muted_by, begins_at, until,
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

export function holdOf({ settings }: Watch, all: readonly WatchMute[], now: Date): Hold | null {
  const mute = all.find(({ incidentId, beginsAt, until }) => incidentId === null && beginsAt <= now && until > now);
  if (mute !== undefined) return { why: 'mute', until: mute.until };
  const until = quietUntil(quietTimes(settings), settings.timeZone, now);
  return until && { why: 'quiet-hours', until };
}

export const isHeld = (watch: Watch, all: readonly WatchMute[], now: Date): boolean => holdOf(watch, all, now) !== null;

interface MutedIncident {
  id: number;
  outbreak: number;
  isOver: boolean;
  postedAt: Date | null;
}

/** The mute of an incident that is running. One that breaks ends with its outbreak, and with what is posted of the incident since. */
export function incidentMute(
  all: readonly WatchMute[],
  { id, outbreak, isOver, postedAt }: MutedIncident,
  now: Date,
): WatchMute | null {
  const isRunning = (mute: WatchMute): boolean => mute.incidentId === id && mute.beginsAt <= now && mute.until > now;
  const isBroken = ({ breaks, outbreak: muted, beginsAt }: WatchMute): boolean =>
    breaks && (isOver || (muted !== null && muted !== outbreak) || (postedAt !== null && postedAt > beginsAt));
  return all.find((mute) => isRunning(mute) && !isBroken(mute)) ?? null;
}

/** An incident, a part of the watch, or all of it. */
export type MuteTarget = Pick<MuteRow, 'incidentId' | 'provider' | 'workflow'>;

export const incidentTarget = (incidentId: number): MuteTarget => ({ incidentId, provider: null, workflow: null });

/** Null: it is ended. */
export type MuteChange = { actor: string; time: TimeRange | null };

export interface Muted extends TimeRange {
  /** Without those that have ended. */
  watches: readonly Watch[];
  target: MuteTarget;
  isPlanned: boolean;
}

export async function muteIn(
  ctx: ActCtx & { workspace: Workspace },
  { watches, target }: { watches: readonly Watch[]; target: MuteTarget },
  time: MuteTime,
  actor: string,
): Promise<Muted> {
  const timeZone = (await ctx.workspace.timeZoneOf(actor)) ?? watches[0]?.settings.timeZone ?? 'UTC';
  const now = ctx.now();
  const { from, to } = time(now, timeZone);
  const muted = await setMutes(ctx, { watches, target }, { actor, time: { from, to } });
  return { watches: muted, target, from, to, isPlanned: from > now };
}

/** Returns the watches concerned. */
export async function setMutes(
  ctx: ActCtx,
  { watches, target }: { watches: readonly Watch[]; target: MuteTarget },
  change: MuteChange,
): Promise<readonly Watch[]> {
  const changed: (Watch | null)[] = [];
  for (const { id } of watches) changed.push(await setMute(ctx, id, target, change));
  return changed.filter((watch) => watch !== null);
}

/** The part of a watch that is muted, as it is typed in a command; null: all of it. */
export function describePart({ provider, workflow }: Pick<MuteRow, 'provider' | 'workflow'>): string | null {
  if (provider !== null) return `provider:${provider}`;
  return workflow && `workflow:${quoted(workflow)}`;
}

const quoted = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `"${name}"`);

function isOfTarget(watchId: string, target: MuteTarget): SQL | undefined {
  const { incidentId, provider, workflow } = target;
  return and(
    eq(mutes.watchId, watchId),
    incidentId === null ? isNull(mutes.incidentId) : eq(mutes.incidentId, incidentId),
    provider === null ? isNull(mutes.provider) : eq(mutes.provider, provider),
    workflow === null ? isNull(mutes.workflow) : sql`lower(${mutes.workflow}) = lower(${workflow})`,
  );
}

/** Returns null if nothing was changed. */
export async function setMute(
  ctx: ActCtx,
  watchId: string,
  target: MuteTarget,
  { actor, time }: MuteChange,
): Promise<Watch | null> {
  const at = ctx.now();
  const muted = await ctx.db.transaction(async (tx) => {
    const locked = target.incidentId === null ? null : await lockIncident(tx, target.incidentId);
    const watch = await lockedWatch(tx, watchId);
    if (watch === null) return null;
    const isChanged =
      time === null
        ? await endMutes(tx, watchId, target, at)
        : await addMute(tx, watchId, target, { actor, ...time, at, outbreak: locked?.incident.outbreak ?? null });
    if (isChanged === 'unknown') return null;
    if (isChanged === 'same') return watch;
    await recordMute(tx, watch, target, { actor, time, at, incident: locked?.incident ?? null });
    return watch;
  });
  if (muted !== null) await ctx.wakeAnnouncing();
  return muted;
}

type MuteOutcome = 'changed' | 'same' | 'unknown';

/** What runs ends, and what is planned is dropped. */
async function endMutes(tx: Db, watchId: string, target: MuteTarget, at: Date): Promise<MuteOutcome> {
  const isLater = and(isOfTarget(watchId, target), gt(mutes.until, at));
  const dropped = await tx
    .delete(mutes)
    .where(and(isLater, gt(mutes.beginsAt, at)))
    .returning();
  const ended = await tx.update(mutes).set({ until: at }).where(isLater).returning();
  return dropped.length + ended.length === 0 ? 'unknown' : 'changed';
}

interface NewMute extends TimeRange {
  actor: string;
  at: Date;
  outbreak: number | null;
}

/** A mute that runs is extended or shortened; a planned one stands beside it. */
async function addMute(
  tx: Db,
  watchId: string,
  target: MuteTarget,
  { actor: mutedBy, from: beginsAt, to: until, at, outbreak }: NewMute,
): Promise<MuteOutcome> {
  const isPlanned = beginsAt > at;
  const isSameBeginning = isPlanned ? eq(mutes.beginsAt, beginsAt) : lte(mutes.beginsAt, at);
  const isThere = and(isOfTarget(watchId, target), gt(mutes.until, at), isSameBeginning);
  const [there] = await tx.select().from(mutes).where(isThere);
  if (there !== undefined && there.mutedBy === mutedBy && isEqual(there.until, until)) return 'same';
  const values = { mutedBy, until, outbreak: isPlanned ? null : outbreak };
  if (there !== undefined) await tx.update(mutes).set(values).where(eq(mutes.id, there.id));
  else await tx.insert(mutes).values({ watchId, ...target, ...values, beginsAt, madeAt: at });
  return 'changed';
}

interface MuteAct extends MuteChange {
  at: Date;
  incident: IncidentRow | null;
}

async function recordMute(
  tx: Db,
  watch: Watch,
  target: MuteTarget,
  { actor, time, at, incident }: MuteAct,
): Promise<void> {
  const act = { actor, now: at };
  if (incident !== null) {
    const change = time
      ? ({ action: 'incident-muted', from: time.from, until: time.to } as const)
      : ({ action: 'incident-unmuted' } as const);
    await recordAct(tx, incident, { ...act, channel: watch.channel }, change);
    await renewVersions(tx, incident.environment, [incident.id]);
    return;
  }
  const typed = describePart(target);
  const part = typed === null ? null : storableText(typed);
  await recordOnWatch(
    tx,
    watch,
    act,
    time === null
      ? { action: 'watch-unmuted', part }
      : { action: 'watch-muted', from: time.from, until: time.to, part },
  );
}
