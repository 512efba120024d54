import { addMilliseconds } from 'date-fns';
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { recordOnIncident, recordOnWatch } from '../audit/audit.ts';
import type { ActCtx } from '../incidents/actions.ts';
import type { Some } from '../incidents/lists.ts';
import { noteInThreads, redraw } from '../incidents/publish.ts';
import { InputError } from '../lib/errors.ts';
import { withoutPunctuation } from '../lib/fold.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { isIncidentNumber } from '../lib/input/typed-values.ts';
import { HOUR_MS, MINUTE_MS, WEEK_MS } from '../lib/time/durations.ts';
import { parseDuration, type TimeRange } from '../lib/time/time-range.ts';
import { nextWallClock } from '../lib/time/wall-clock.ts';
import type { Workspace } from '../lib/workspace.ts';
import { Count, CountRow, type Db, jsonOf } from '../store/db.ts';
import { mutes } from '../store/schema.ts';
import { parseClock } from './parse-settings.ts';
import type { Watch } from './settings.ts';
import { lockedWatch } from './watches.ts';

/** When a mute ends: after a duration, or at the next time that clocks in somebody's zone show, in minutes of the day. */
export type MuteEnd = { readonly end: 'after'; readonly ms: number } | { readonly end: 'at'; readonly minutes: number };

export function endOfMute(end: MuteEnd, timeZone: string, now: Date): Date {
  return end.end === 'after' ? addMilliseconds(now, end.ms) : nextWallClock(end.minutes, timeZone, now);
}

/** How long a form offers to mute. `morning` is the next 09:00 of the person who mutes. */
export const MUTE_LENGTHS = {
  '30m': { end: 'after', ms: 30 * MINUTE_MS },
  '1h': { end: 'after', ms: HOUR_MS },
  '4h': { end: 'after', ms: 4 * HOUR_MS },
  morning: { end: 'at', minutes: 9 * 60 },
  '1d': { end: 'after', ms: 24 * HOUR_MS },
  '1w': { end: 'after', ms: WEEK_MS },
} as const satisfies Readonly<Record<string, MuteEnd>>;
export type MuteLength = keyof typeof MUTE_LENGTHS;

export function parseMuteLength(value: string | null): MuteEnd | null {
  return value !== null && Object.hasOwn(MUTE_LENGTHS, value) ? MUTE_LENGTHS[value as MuteLength] : null;
}

export interface MuteWords {
  /** As they were typed: '#17'. */
  readonly incidents: readonly string[];
  /** The watch's number in the channel's list; null for all of the channel. */
  readonly number: number | null;
  readonly end: MuteEnd;
}

/** An hour by default. Throws an `InputError` for anything else, and for more than a week. */
export function parseMuteWords(typed: readonly string[], { until = [] }: FilterMap): MuteWords {
  const words = typed.map(withoutPunctuation).filter((word) => word !== '');
  const incidents = words.filter(isIncidentNumber);
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const times = words.filter((word) => !incidents.includes(word) && !numbers.includes(word));
  const [number = null] = numbers.map(Number);
  const [time] = times;
  const isOneThing = numbers.length + Math.min(incidents.length, 1) <= 1;
  if (!isOneThing || times.length + until.length > 1)
    throw wrongMute('mute takes an incident or the number of a watch, and one time or until:.');
  if (until[0] !== undefined) return { incidents, number, end: { end: 'at', minutes: parseUntil(until[0]) } };
  const ms = time === undefined ? HOUR_MS : parseDuration(time.toLowerCase());
  if (ms === null || ms < MINUTE_MS || ms > WEEK_MS)
    throw wrongMute(`${time} isn't how long a mute can last: a minute to a week, or until: a time of the day.`);
  return { incidents, number, end: { end: 'after', ms } };
}

function parseUntil(text: string): number {
  const minutes = parseClock(text);
  if (minutes !== null) return minutes;
  throw new InputError('until', 'until: takes one time of the day.', '/notif mute until:14:00');
}

function wrongMute(message: string): InputError {
  return new InputError('mute', message, '/notif mute 2h');
}

/** Silences an incident, or everything, in a watch until a time; then the watch is told of what it missed. */
export interface Mute {
  readonly by: string;
  readonly from: Date;
  readonly until: Date;
}

/** What is muted in a watch: an incident, or the whole watch if that is null. */
export interface RunningMute extends Mute {
  readonly incidentId: number | null;
}

const columns = { incidentId: mutes.incidentId, by: mutes.mutedBy, from: mutes.mutedAt, until: mutes.until };

/** The mutes of a watch that end after a time, which may be over by now. */
export async function mutesUntil(db: Db, watchId: string, after: Date): Promise<RunningMute[]> {
  const isLater = and(eq(mutes.watchId, watchId), gt(mutes.until, after));
  return db.select(columns).from(mutes).where(isLater).orderBy(sql`incident_id NULLS FIRST`, desc(mutes.until));
}

/** `isRepeat`: the same person had muted it until then already, as by a double click, so nothing changed. */
export interface MutedWatch {
  readonly watch: Watch;
  readonly mute: Mute & { readonly isRepeat: boolean };
}

/** Ends this close to each other are the same: an hour from now, submitted twice. */
const SAME_END_MS = 60_000;

/** In the whole watch if no incident is given. A running mute gets the new end and this person's name. Null: the watch has ended. */
export async function mute(
  ctx: ActCtx,
  watchId: string,
  incidentId: number | null,
  { by, until }: Pick<Mute, 'by' | 'until'>,
): Promise<MutedWatch | null> {
  const at = ctx.now();
  const muted = await ctx.db.transaction(async (tx): Promise<MutedWatch | null> => {
    const watch = await lockedWatch(tx, watchId);
    if (watch === null) return null;
    const isRunning = runningAt(at, watchId, incidentId);
    const [running] = await tx.select(columns).from(mutes).where(isRunning).orderBy(desc(mutes.until));
    if (running?.by === by && Math.abs(running.until.getTime() - until.getTime()) < SAME_END_MS)
      return { watch, mute: { ...running, isRepeat: true } };
    const muting = { mutedBy: by, until };
    if (running === undefined) await tx.insert(mutes).values({ watchId, incidentId, mutedAt: at, ...muting });
    else await tx.update(mutes).set(muting).where(isRunning);
    await note(tx, watch, { incidentId, by, until }, at);
    return { watch, mute: { by, from: running?.from ?? at, until, isRepeat: false } };
  });
  if (muted?.mute.isRepeat === false) await noted(ctx, muted.watch, { incidentId, by, until });
  return muted;
}

function runningAt(now: Date, watchId: string, incidentId: number | null) {
  const isIt = incidentId === null ? isNull(mutes.incidentId) : eq(mutes.incidentId, incidentId);
  return and(eq(mutes.watchId, watchId), isIt, gt(mutes.until, now));
}

/** What an incident, or everything, is muted in: some watches of a channel. */
export interface MuteTarget {
  readonly watches: readonly Watch[];
  readonly incidentId: number | null;
}

/** Until an end in the person's time zone, or each watch's if Slack gives none. */
export async function muteIn(
  ctx: ActCtx & { readonly workspace: Pick<Workspace, 'timeZoneOf'> },
  { watches, incidentId }: MuteTarget,
  end: MuteEnd,
  by: string,
): Promise<MutedWatch[]> {
  const timeZone = await ctx.workspace.timeZoneOf(by);
  const now = ctx.now();
  const muted: MutedWatch[] = [];
  for (const { id, settings } of watches) {
    const until = endOfMute(end, timeZone ?? settings.timeZone, now);
    const done = await mute(ctx, id, incidentId, { by, until });
    if (done !== null) muted.push(done);
  }
  return muted;
}

/** Returns those that were muted. */
export async function unmuteIn(ctx: ActCtx, { watches, incidentId }: MuteTarget, by: string): Promise<Watch[]> {
  const unmuted: Watch[] = [];
  for (const { id } of watches) {
    const at = ctx.now();
    const watch = await ctx.db.transaction(async (tx) => {
      const found = await lockedWatch(tx, id);
      if (found === null) return null;
      const isRunning = runningAt(at, id, incidentId);
      const ended = await tx.update(mutes).set({ until: at, endedBy: by }).where(isRunning).returning({ id: mutes.id });
      if (ended.length === 0) return null;
      await note(tx, found, { incidentId, by, until: null }, at);
      return found;
    });
    if (watch === null) continue;
    await noted(ctx, watch, { incidentId, by, until: null });
    unmuted.push(watch);
  }
  return unmuted;
}

/** `until` is null where a mute was ended. */
interface Done {
  readonly incidentId: number | null;
  readonly by: string;
  readonly until: Date | null;
}

async function note(tx: Db, watch: Watch, { incidentId, by, until }: Done, at: Date): Promise<void> {
  const act = { by, now: at };
  if (incidentId === null) {
    return recordOnWatch(tx, watch, act, (words) =>
      until === null ? { action: 'watch-unmuted', watch: words } : { action: 'watch-muted', watch: words, until },
    );
  }
  const event = until === null ? ({ what: 'unmuted', by, at } as const) : ({ what: 'muted', by, at, until } as const);
  await redraw(tx, [incidentId], at);
  await noteInThreads(tx, [incidentId], event, at, watch.id);
  await recordOnIncident(tx, { incidentId, channel: watch.channel }, act, (incident) =>
    until === null ? { action: 'incident-unmuted', incident } : { action: 'incident-muted', incident, until },
  );
}

async function noted({ logger, wakeDelivery }: ActCtx, { id, channel }: Watch, done: Done): Promise<void> {
  logger.info({ watchId: id, channel, ...done }, done.until === null ? 'unmuted in a watch' : 'muted in a watch');
  await wakeDelivery();
}

const MutedRow = z.object({ channel: z.string().nullable(), muted: Count, watches: Count, until: z.date() });

/** By channel, the one that is unmuted next first; null: a private one. `mutedIncidents`: in at least one watch, even if resolved. */
export interface Mutes {
  readonly mutes: readonly z.output<typeof MutedRow>[];
  readonly mutedIncidents: number;
}

/** What is muted now in a channel, or in all channels if null. */
export async function muted(db: Db, channel: string | null, now: Date): Promise<Mutes> {
  const mutes = await db.rows(MutedRow, MUTED_CHANNELS, [now, channel]);
  const [row] = await db.rows(CountRow, MUTED_INCIDENTS, [now, channel]);
  return { mutes, mutedIncidents: row?.count ?? 0 };
}

const MUTED_CHANNELS = `
  SELECT w.channel, count(m.until) AS muted, count(*) AS watches, min(m.until) AS until
  FROM watches w LEFT JOIN LATERAL (
    SELECT max(until) AS until FROM mutes WHERE watch_id = w.id AND incident_id IS NULL AND until > $1
  ) m ON true
  WHERE w.ended_at IS NULL AND ($2::text IS NULL OR w.channel = $2)
  GROUP BY w.channel HAVING count(m.until) > 0 ORDER BY min(m.until), w.channel`;

const MUTED_INCIDENTS = `
  SELECT count(DISTINCT m.incident_id) FROM mutes m JOIN watches w ON w.id = m.watch_id
  WHERE m.until > $1 AND w.ended_at IS NULL AND ($2::text IS NULL OR w.channel = $2)`;

export interface EndingMute {
  readonly channel: string;
  readonly muted:
    | { readonly environment: string; readonly channel: string; readonly provider: string | null }
    | { readonly watches: number };
  /** A Slack user ID. */
  readonly by: string;
  readonly until: Date;
}

const EndingRow = z.object({
  watchChannel: z.string(),
  mutedBy: z.string(),
  until: z.date(),
  environment: z.string().nullable(),
  channel: z.string().nullable(),
  provider: z.string().nullable(),
  watches: Count,
  total: Count,
});

const COVERED = "coalesce(w.settings #> '{filter,environments}', '[]')";

/** The mutes that end in a time, the next first: of incidents of some environments, and of watches that cover any of them. */
export async function endingMutes(
  db: Db,
  environments: readonly string[],
  { from, to }: TimeRange,
  limit: number,
): Promise<Some<EndingMute>> {
  const rows = await db.rows(
    EndingRow,
    `SELECT w.channel AS watch_channel, m.muted_by, m.until, i.environment, i.channel, i.provider,
       count(*) AS watches, count(*) OVER () AS total
     FROM mutes m JOIN watches w ON w.id = m.watch_id LEFT JOIN incidents i ON i.id = m.incident_id
     WHERE m.until > $2 AND m.until <= $3 AND w.ended_at IS NULL AND CASE WHEN i.id IS NOT NULL THEN $1::jsonb ? i.environment
       ELSE ${COVERED} = '[]' OR ${COVERED} ?| ARRAY(SELECT jsonb_array_elements_text($1::jsonb)) END
     GROUP BY w.channel, m.muted_by, m.until, i.id ORDER BY m.until, min(m.id) LIMIT $4`,
    [jsonOf(environments), from, to, limit],
  );
  const items = rows.map(({ environment, channel, provider, watches, ...row }): EndingMute => {
    const isWatch = environment === null || channel === null;
    const muted = isWatch ? { watches } : { environment, channel, provider };
    return { channel: row.watchChannel, muted, by: row.mutedBy, until: row.until };
  });
  return { items, more: (rows[0]?.total ?? 0) - rows.length };
}
