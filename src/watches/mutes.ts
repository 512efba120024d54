import { addMilliseconds, isEqual } from 'date-fns';
import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { recordOnIncident } from '../audit/audit.ts';
import { InputError } from '../lib/errors.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { isIncidentNumber } from '../lib/input/typed-values.ts';
import { HOUR_MS, MINUTE_MS, parseDuration, WEEK_MS } from '../lib/time/durations.ts';
import { isQuietAt, nextWallClock } from '../lib/time/wall-clock.ts';
import type { Channels, Workspace } from '../lib/workspace.ts';
import type { MuteEndReason } from '../outbox/kinds.ts';
import { type ActCtx, noteInThreads, redraw } from '../outbox/messages.ts';
import { Count, type Db, jsonOf, onlyRow } from '../store/db.ts';
import { parseClock } from './parse-settings.ts';
import type { Watch } from './settings.ts';
import { mutes } from './tables.ts';
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

export type WatchMute = { actor: string; from: Date; until: Date; incidentId: number | null };

export async function mutesEndingAfter(db: Db, watchId: string, after: Date) {
  const isLater = and(eq(mutes.watchId, watchId), gt(mutes.until, after));
  return db.select().from(mutes).where(isLater).orderBy(sql`incident_id NULLS FIRST`, desc(mutes.until));
}

export async function runningMutes(db: Db, now: Date): Promise<(WatchMute & { watchId: string })[]> {
  return db.select().from(mutes).where(gt(mutes.until, now));
}

export function isSilenced(
  { settings: { quiet, timeZone } }: Watch,
  mutes: readonly WatchMute[],
  now: Date,
  incidentIds: readonly number[] = [],
) {
  return isQuietAt(quiet, timeZone, now) || isMuted(mutes, now, incidentIds);
}

/** `mutes` are one watch's. */
export function isMuted(mutes: readonly WatchMute[], now: Date, incidentIds: readonly number[]): boolean {
  const isHeld = (id: number | null) => mutes.some(({ incidentId, until }) => incidentId === id && until > now);
  return isHeld(null) || (incidentIds.length > 0 && incidentIds.every(isHeld));
}

export const copyMutes = (tx: Db, toId: number, fromId: number): Promise<number> => tx.write(COPY, [toId, fromId]);

const COPY = `
  INSERT INTO mutes (watch_id, incident_id, muted_by, muted_at, until)
  SELECT watch_id, $1, muted_by, muted_at, until FROM mutes WHERE incident_id = $2`;

export async function endMutes(
  tx: Db,
  incidentIds: readonly number[],
  { why, at }: { why: MuteEndReason; at: Date },
  watchIds: readonly string[] | null = null,
) {
  if (incidentIds.length === 0) return;
  const isIn = watchIds === null ? undefined : inArray(mutes.watchId, [...watchIds]);
  const isRunning = and(inArray(mutes.incidentId, [...incidentIds]), gt(mutes.until, at), isIn);
  const { watchId, incidentId } = mutes;
  const ended = await tx.update(mutes).set({ until: at }).where(isRunning).returning({ watchId, incidentId });
  for (const mute of ended)
    if (mute.incidentId !== null)
      await noteInThreads(tx, [mute.incidentId], { what: 'unmuted', actor: null, at, why }, mute.watchId);
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

export async function setMute(ctx: ActCtx, watchId: string, incidentId: number | null, { actor, until }: MuteChange) {
  const at = ctx.now();
  const hasTarget = incidentId === null ? isNull(mutes.incidentId) : eq(mutes.incidentId, incidentId);
  const isRunning = and(eq(mutes.watchId, watchId), hasTarget, gt(mutes.until, at));
  const muted = await ctx.db.transaction(async (tx) => {
    const watch = await lockedWatch(tx, watchId);
    const [running] = await tx.select().from(mutes).where(isRunning);
    if (watch === null || (until === null && running === undefined)) return null;
    if (until !== null && running?.actor === actor && isEqual(running.until, until)) return watch;
    const changed = until ? { actor, until } : { until: at };
    if (running !== undefined) await tx.update(mutes).set(changed).where(isRunning);
    else if (until) await tx.insert(mutes).values({ watchId, incidentId, actor, from: at, until });
    await note(tx, watch, incidentId, { actor, until, at });
    return watch;
  });
  if (muted !== null) await ctx.wakeDelivery();
  return muted;
}

async function note(tx: Db, watch: Watch, incidentId: number | null, { actor, until, at }: MuteChange & { at: Date }) {
  const act = { actor, now: at };
  const end = until?.toISOString();
  if (incidentId === null)
    return recordOnWatch(tx, watch, act, end ? { action: 'watch-muted', until: end } : { action: 'watch-unmuted' });
  await redraw(tx, [incidentId], at);
  const event = until ? ({ what: 'muted', actor, at, until } as const) : ({ what: 'unmuted', actor, at } as const);
  await noteInThreads(tx, [incidentId], event, watch.id);
  const incident = onlyRow(await tx.rows(IncidentRow, INCIDENT, [incidentId]));
  const change = end ? ({ action: 'incident-muted', until: end } as const) : ({ action: 'incident-unmuted' } as const);
  await recordOnIncident(tx, incident, { ...act, channel: watch.channel }, change);
}

const IncidentRow = z.object({
  id: Count,
  environment: z.string(),
  channel: z.string(),
  provider: z.string().nullable(),
});
const INCIDENT = 'SELECT id, environment, channel, provider FROM incidents WHERE id = $1';

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
  WHERE m.until > $2 AND w.ended_at IS NULL AND CASE WHEN i.id IS NOT NULL THEN $1::jsonb ? i.environment
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
