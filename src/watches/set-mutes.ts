import { isEqual } from 'date-fns';
import { and, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { IncidentRow } from '../incidents/tables.ts';
import { recordAct } from '../incidents/timeline.ts';
import { type ActCtx, lockIncident } from '../incidents/verbs.ts';
import { storableText } from '../lib/text/shown-id.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { Workspace } from '../lib/workspace.ts';
import type { Db } from '../store/db.ts';
import type { MuteTime } from './parse-mute.ts';
import type { Watch } from './settings.ts';
import { type MuteRow, mutes } from './tables.ts';
import { lockedWatch, recordOnWatch } from './watches.ts';

/** What is muted: an incident, a part of the watch, or all of it. */
export type MuteTarget = Pick<MuteRow, 'incidentId' | 'provider' | 'workflow'>;

export const incidentTarget = (incidentId: number): MuteTarget => ({ incidentId, provider: null, workflow: null });

export interface MuteChange {
  actor: string;
  /** When it is muted; null: its mutes end. */
  time: TimeRange | null;
}

export interface Muted extends TimeRange {
  /** The muted watches, without those that have ended. */
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

/** Returns the watches that are muted, or unmuted, now. */
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

/** Returns null if there is nothing to change, or no such watch. */
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
    const outcome =
      time === null
        ? await endMutes(tx, watchId, target, at)
        : await addMute(tx, watchId, target, { actor, ...time, at, outbreak: locked?.incident.outbreak ?? null });
    if (outcome === 'none') return null;
    if (outcome === 'same') return watch;
    await recordMute(tx, watch, target, { actor, time, at, incident: locked?.incident ?? null });
    return watch;
  });
  if (muted !== null) await ctx.wakeAnnouncing();
  return muted;
}

/** 'none': there is no mute to end. */
type MuteOutcome = 'changed' | 'same' | 'none';

/** What runs ends, and what is planned is dropped. */
async function endMutes(tx: Db, watchId: string, target: MuteTarget, at: Date): Promise<MuteOutcome> {
  const isLater = and(isOfTarget(watchId, target), gt(mutes.until, at));
  const dropped = await tx
    .delete(mutes)
    .where(and(isLater, gt(mutes.beginsAt, at)))
    .returning();
  const ended = await tx.update(mutes).set({ until: at }).where(isLater).returning();
  return dropped.length + ended.length === 0 ? 'none' : 'changed';
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
  const muted = time && { from: time.from, until: time.to };
  if (incident !== null) {
    const { channel } = watch;
    const change = muted ? { action: 'incident-muted' as const, ...muted } : { action: 'incident-unmuted' as const };
    return recordAct(tx, incident, { ...act, channel }, change);
  }
  const typed = describePart(target);
  const part = typed === null ? null : storableText(typed);
  const change = muted ? { action: 'watch-muted' as const, ...muted } : { action: 'watch-unmuted' as const };
  await recordOnWatch(tx, watch, act, { ...change, part });
}
