import { z } from 'zod';
import { recordOnIncident, recordOnWatch } from '../audit/audit.ts';
import type { ActCtx } from '../incidents/actions.ts';
import { noteInThreads, redraw } from '../incidents/publish.ts';
import type { Workspace } from '../lib/workspace.ts';
import type { Db } from '../store/db.ts';
import { Count, rowWith } from '../store/row.ts';
import { endOfMute, type MuteEnd } from './mute-words.ts';
import type { Watch } from './settings.ts';
import { watchWithId } from './watches.ts';

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

const MuteRow = rowWith({
  incidentId: Count.nullable(),
  mutedBy: z.string(),
  mutedAt: z.date(),
  until: z.date(),
}).transform(({ incidentId, mutedBy: by, mutedAt: from, until }): RunningMute => ({ incidentId, by, from, until }));

/** The mutes of a watch that end after a time, which may be over by now. */
export function mutesUntil(sql: Db, watchId: string, after: Date): Promise<RunningMute[]> {
  const some = 'SELECT * FROM mutes WHERE watch_id = $1 AND until > $2 ORDER BY incident_id NULLS FIRST, until DESC';
  return sql.rows(MuteRow, some, [watchId, after]);
}

/** `isRepeat`: the same person had muted it until then already, as by a double click, so nothing changed. */
export interface Muting extends Mute {
  readonly isRepeat: boolean;
}

export interface MutedWatch {
  readonly watch: Watch;
  readonly mute: Muting;
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
  const what = [watchId, incidentId, at];
  const muted = await ctx.db.transaction(async (sql): Promise<MutedWatch | null> => {
    const watch = await watchWithId(sql, watchId, TAKING_TURNS);
    if (watch === null) return null;
    const [running] = await sql.rows(MuteRow, `SELECT * FROM mutes WHERE ${RUNNING} ORDER BY until DESC`, what);
    if (running?.by === by && Math.abs(running.until.getTime() - until.getTime()) < SAME_END_MS)
      return { watch, mute: { ...running, isRepeat: true } };
    const change = running === undefined ? BEGIN : `UPDATE mutes SET muted_by = $4, until = $5 WHERE ${RUNNING}`;
    await sql.write(change, [...what, by, until]);
    await note(sql, watch, incidentId, { what: 'muted', by, at, until });
    return { watch, mute: { by, from: running?.from ?? at, until, isRepeat: false } };
  });
  if (muted?.mute.isRepeat === false) await noted(ctx, muted.watch, { incidentId, by, until });
  return muted;
}

async function noted(
  { logger, wakeDelivery }: ActCtx,
  { id, channel }: Watch,
  done: { readonly incidentId: number | null; readonly by: string; readonly until: Date | null },
): Promise<void> {
  logger.info({ watchId: id, channel, ...done }, done.until === null ? 'unmuted in a watch' : 'muted in a watch');
  await wakeDelivery();
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
    const watch = await ctx.db.transaction(async (sql) => {
      const found = await watchWithId(sql, id, TAKING_TURNS);
      const end = `UPDATE mutes SET until = $3, ended_by = $4 WHERE ${RUNNING}`;
      if (found === null || (await sql.write(end, [id, incidentId, at, by])) === 0) return null;
      await note(sql, found, incidentId, { what: 'unmuted', by, at });
      return found;
    });
    if (watch === null) continue;
    await noted(ctx, watch, { incidentId, by, until: null });
    unmuted.push(watch);
  }
  return unmuted;
}

/** Two who mute the same thing at once. */
const TAKING_TURNS = 'FOR NO KEY UPDATE';
const RUNNING = 'watch_id = $1 AND incident_id IS NOT DISTINCT FROM $2 AND until > $3';
const BEGIN = `
  INSERT INTO mutes (id, watch_id, incident_id, muted_at, muted_by, until) VALUES (gen_random_uuid()::text, $1, $2, $3, $4, $5)`;

type MuteEvent = { readonly by: string; readonly at: Date } & (
  | { readonly what: 'muted'; readonly until: Date }
  | { readonly what: 'unmuted' }
);

async function note(sql: Db, watch: Watch, incidentId: number | null, event: MuteEvent): Promise<void> {
  const act = { by: event.by, now: event.at };
  const until = event.what === 'muted' ? event.until : null;
  if (incidentId === null) {
    return recordOnWatch(sql, watch, act, (words) =>
      until === null ? { action: 'watch-unmuted', watch: words } : { action: 'watch-muted', watch: words, until },
    );
  }
  await redraw(sql, [incidentId], event.at);
  await noteInThreads(sql, [incidentId], event, event.at, watch.id);
  await recordOnIncident(sql, { incidentId, channel: watch.channel }, act, (incident) =>
    until === null ? { action: 'incident-unmuted', incident } : { action: 'incident-muted', incident, until },
  );
}

const ChannelRow = z.object({ channel: z.string(), muted: Count, watches: Count, until: z.date() });
const IncidentsRow = z.object({ incidents: Count });

/** What is muted now in a channel, or in all channels if null. */
export async function muted(sql: Db, channel: string | null, now: Date) {
  const mutes = await sql.rows(ChannelRow, MUTED_CHANNELS, [now, channel]);
  const [row] = await sql.rows(IncidentsRow, MUTED_INCIDENTS, [now, channel]);
  return { mutes, mutedIncidents: row?.incidents ?? 0 };
}

const MUTED_CHANNELS = `
  SELECT w.channel, count(m.until) AS muted, count(*) AS watches, min(m.until) AS until
  FROM watches w LEFT JOIN LATERAL (
    SELECT max(until) AS until FROM mutes WHERE watch_id = w.id AND incident_id IS NULL AND until > $1
  ) m ON true
  WHERE w.ended_at IS NULL AND ($2::text IS NULL OR w.channel = $2)
  GROUP BY w.channel HAVING count(m.until) > 0 ORDER BY min(m.until), w.channel`;

const MUTED_INCIDENTS = `
  SELECT count(DISTINCT m.incident_id) AS incidents FROM mutes m JOIN watches w ON w.id = m.watch_id
  WHERE m.until > $1 AND w.ended_at IS NULL AND ($2::text IS NULL OR w.channel = $2)`;
