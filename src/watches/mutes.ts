import { addMilliseconds, isEqual } from 'date-fns';
import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ActCtx, lockIncident } from '../incidents/actions.ts';
import { recordAct } from '../incidents/acts.ts';
import { renewVersions } from '../incidents/record.ts';
import { InputError } from '../lib/errors.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { isIncidentNumber } from '../lib/input/typed-values.ts';
import { HOUR_MS, MINUTE_MS, parseDuration, WEEK_MS } from '../lib/time/durations.ts';
import { isQuietAt, nextWallClock } from '../lib/time/wall-clock.ts';
import type { Channels, Workspace } from '../lib/workspace.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { parseClock } from './parse-settings.ts';
import type { Watch } from './settings.ts';
import { type MuteRow, mutes } from './tables.ts';
import { lockedWatch, recordOnWatch } from './watches.ts';

export type MuteEnd = (now: Date, timeZone: string) => Date;

const lasting = (ms: number): MuteEnd => {
  return (now) => addMilliseconds(now, ms);
};

export const MUTE_LENGTHS = [
  { value: '30m', label: '30 minutes' },
  { value: '1h', label: 'An hour' },
  { value: '4h', label: '4 hours' },
  { value: '09:00', label: 'Until 09:00, your time' },
  { value: '1d', label: 'A day' },
  { value: '1w', label: 'A week' },
];

export const parseMuteLength = (value: string) => parseLength(value) ?? parseUntil(value);

export function parseMuteWords(words: readonly string[], { until = [] }: FilterMap) {
  const incidents = words.filter(isIncidentNumber);
  const isNumber = (word: string) => /^\d+$/.test(word);
  const [number, ...numbers] = words.filter(isNumber).map(Number);
  const times = words.filter((word) => !isIncidentNumber(word) && !isNumber(word));
  const [end = null, ...ends] = [...times.map(parseLength), ...until.map(parseUntil)];
  const isClear = numbers.length === 0 && ends.length === 0 && (number === undefined || incidents.length === 0);
  if (isClear && (end !== null || times.length + until.length === 0))
    return { incidents, number: number ?? null, end: end ?? lasting(HOUR_MS) };
  const what = 'mute takes an incident or the number of a watch, and a time: 1m to 1w, or until: a time of the day.';
  throw new InputError('mute', what, '/notif mute 2h');
}

function parseLength(text: string): MuteEnd | null {
  const ms = parseDuration(text);
  return ms !== null && ms >= MINUTE_MS && ms <= WEEK_MS ? lasting(ms) : null;
}

function parseUntil(text: string): MuteEnd | null {
  const minutes = parseClock(text);
  return minutes === null ? null : (now, timeZone) => nextWallClock(minutes, timeZone, now);
}

export type WatchMute = Pick<MuteRow, 'actor' | 'from' | 'until' | 'incidentId' | 'outbreak'>;

/** The mute of an incident breaks when another one turns out to be the same. */
const isUnbroken: SQL = sql`NOT EXISTS (
  SELECT FROM incidents younger
  WHERE younger.continued_as = mutes.incident_id
    AND younger.state_at > mutes.muted_at)`;

export async function mutesEndingAfter(db: Db, watchId: string, after: Date): Promise<MuteRow[]> {
  const isLater = and(eq(mutes.watchId, watchId), gt(mutes.until, after), isUnbroken);
  return db.select().from(mutes).where(isLater).orderBy(sql`incident_id NULLS FIRST`, desc(mutes.until));
}

export async function runningMutes(db: Db, now: Date): Promise<MuteRow[]> {
  return db
    .select()
    .from(mutes)
    .where(and(gt(mutes.until, now), isUnbroken));
}

/** Why a watch may not post now, and until when. */
export interface Hold {
  why: 'quiet-hours' | 'mute';
  until: Date;
}

export function holdOf({ settings: { quiet, timeZone } }: Watch, all: readonly WatchMute[], now: Date): Hold | null {
  const mute = all.find(({ incidentId, from, until }) => incidentId === null && from <= now && until > now);
  if (mute !== undefined) return { why: 'mute', until: mute.until };
  if (quiet === null || !isQuietAt(quiet, timeZone, now)) return null;
  return { why: 'quiet-hours', until: nextWallClock(quiet.to, timeZone, now) };
}

export const isHeld = (watch: Watch, all: readonly WatchMute[], now: Date): boolean => holdOf(watch, all, now) !== null;

/** The mute of an incident that is running. It ends with its outbreak, and breaks with what is posted of the incident since. */
export function incidentMute(
  all: readonly WatchMute[],
  { id, outbreak, isOver, postedAt }: { id: number; outbreak: number; isOver: boolean; postedAt: Date | null },
  now: Date,
): WatchMute | null {
  const isRunning = ({ incidentId, outbreak: muted, from, until }: WatchMute) =>
    incidentId === id &&
    (muted === null || muted === outbreak) &&
    until > now &&
    !(postedAt !== null && postedAt > from);
  return isOver ? null : (all.find(isRunning) ?? null);
}

type MuteTarget = { watches: readonly Watch[]; incidentId: number | null };
type MuteChange = { actor: string; until: Date | null };

/** `watches` lacks those that have ended. */
export type Muted = Awaited<ReturnType<typeof muteIn>>;

export async function muteIn(ctx: ActCtx & { workspace: Workspace }, target: MuteTarget, end: MuteEnd, actor: string) {
  const timeZone = (await ctx.workspace.timeZoneOf(actor)) ?? target.watches[0]?.settings.timeZone ?? 'UTC';
  const from = ctx.now();
  const until = end(from, timeZone);
  return { watches: await setMutes(ctx, target, { actor, until }), from, until };
}

/** Unmutes if `until` is null. Returns the watches concerned. */
export async function setMutes(ctx: ActCtx, { watches, incidentId }: MuteTarget, change: MuteChange) {
  const changed: (Watch | null)[] = [];
  for (const { id } of watches) changed.push(await setMute(ctx, id, incidentId, change));
  return changed.filter((watch) => watch !== null);
}

/** Returns null if nothing was changed. */
export async function setMute(
  ctx: ActCtx,
  watchId: string,
  incidentId: number | null,
  { actor, until }: MuteChange,
): Promise<Watch | null> {
  const at = ctx.now();
  const hasTarget = incidentId === null ? isNull(mutes.incidentId) : eq(mutes.incidentId, incidentId);
  const isRunning = and(eq(mutes.watchId, watchId), hasTarget, gt(mutes.until, at));
  const muted = await ctx.db.transaction(async (tx) => {
    const locked = incidentId === null ? null : await lockIncident(tx, incidentId);
    const watch = await lockedWatch(tx, watchId);
    const [running] = await tx.select().from(mutes).where(isRunning);
    if (watch === null || (until === null && running === undefined)) return null;
    if (until !== null && running?.actor === actor && isEqual(running.until, until)) return watch;
    const outbreak = locked?.incident.outbreak ?? null;
    if (running !== undefined)
      await tx
        .update(mutes)
        .set(until ? { actor, until, outbreak } : { until: at })
        .where(isRunning);
    else if (until) await tx.insert(mutes).values({ watchId, incidentId, outbreak, actor, from: at, until });
    const act = { actor, now: at };
    if (locked === null) {
      const end = until?.toISOString();
      await recordOnWatch(tx, watch, act, end ? { action: 'watch-muted', until: end } : { action: 'watch-unmuted' });
    } else {
      const { incident } = locked;
      const change = until ? ({ action: 'incident-muted', until } as const) : ({ action: 'incident-unmuted' } as const);
      await recordAct(tx, incident, { ...act, channel: watch.channel }, change);
      await renewVersions(tx, incident.environment, [incident.id]);
    }
    return watch;
  });
  if (muted !== null) await ctx.wakeAnnouncing();
  return muted;
}

const IncidentRow = z.object({
  id: Count,
  environment: z.string(),
  channel: z.string(),
  provider: z.string().nullable(),
});

export type ListedMute = z.output<typeof ListedRow>;
const ListedRow = z.object({
  channel: z.string().nullable(),
  actor: z.string(),
  until: z.date(),
  incident: IncidentRow.nullable(),
  watches: Count,
});

/** A person's mutes until the same time are one entry. */
export const listedMutes = (db: Db, environments: readonly string[], now: Date): Promise<ListedMute[]> =>
  db.rows(ListedRow, LISTED, [jsonOf(environments), now]);

const COVERED = "coalesce(w.settings #> '{filter,environments}', '[]')";
const LISTED = `
  SELECT w.channel, m.muted_by AS actor, m.until, CASE WHEN i.id IS NOT NULL THEN
      jsonb_build_object('id', i.id, 'environment', i.environment, 'channel', i.channel, 'provider', i.provider) END AS incident,
    count(*) AS watches
  FROM mutes m JOIN watches w ON w.id = m.watch_id LEFT JOIN incidents i ON i.id = m.incident_id
  WHERE m.until > $2 AND w.ended_at IS NULL
    AND (i.id IS NULL OR (i.state <> 'resolved' AND coalesce(m.outbreak = i.outbreak, true))) AND CASE WHEN i.id IS NOT NULL THEN $1::jsonb ? i.environment
    ELSE ${COVERED} = '[]' OR ${COVERED} ?| ARRAY(SELECT jsonb_array_elements_text($1::jsonb)) END
  GROUP BY w.channel, m.muted_by, m.until, i.id ORDER BY m.until, w.channel, i.id`;

export function withPublicChannels(mutes: readonly ListedMute[], channels: Pick<Channels, 'isPublic'>) {
  return Promise.all(
    mutes.map(async (mute) => {
      const isPublic = mute.channel !== null && (await channels.isPublic(mute.channel));
      return isPublic ? mute : { ...mute, channel: null };
    }),
  );
}
