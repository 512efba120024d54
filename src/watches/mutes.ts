import { z } from 'zod';
import type { Mute, MuteAfter } from '../domain/watches/mute.ts';
import { noteInThreads, redraw } from '../incidents/publish.ts';
import { type Act, recordOnIncident, recordOnWatch } from '../store/changes/audited.ts';
import type { Database, Sql, SqlRows } from '../store/database/database.ts';
import { Count, rowWith } from '../store/database/row.ts';
import { WATCH_COLUMNS, WatchRow } from './watches.ts';

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
export function mutesUntil(sql: SqlRows, watchId: string, after: Date): Promise<RunningMute[]> {
  const some = 'SELECT * FROM mutes WHERE watch_id = $1 AND until > $2 ORDER BY incident_id NULLS FIRST, until DESC';
  return sql.rows(MuteRow, some, [watchId, after]);
}

interface NewMute {
  readonly by: string;
  readonly until: Date;
}

/** Ends this close to each other are the same: an hour from now, submitted twice. */
const SAME_END_MS = 60_000;

/**
 * Mutes an incident in a watch, or the whole watch. A running mute is extended to the new end under this person's name. If the same person
 * repeats it, as by a double click, nothing changes. Null if the watch has ended.
 */
export function mute(
  db: Database,
  watchId: string,
  incidentId: number | null,
  { by, until }: NewMute,
  now: Date,
): Promise<MuteAfter | null> {
  return db.withTransaction(async (sql) => {
    const watch = await lockedWatch(sql, watchId);
    if (watch === undefined) return null;
    const [running] = await sql.rows(MuteRow, `SELECT * FROM mutes WHERE ${RUNNING} ORDER BY until DESC`, [
      watchId,
      incidentId,
      now,
    ]);
    if (running?.by === by && Math.abs(running.until.getTime() - until.getTime()) < SAME_END_MS)
      return { ...running, isRepeat: true };
    if (running === undefined) await sql.write(BEGIN, [watchId, incidentId, now, by, until]);
    else
      await sql.write(`UPDATE mutes SET muted_by = $4, until = $5 WHERE ${RUNNING}`, [
        watchId,
        incidentId,
        now,
        by,
        until,
      ]);
    await note(sql, watch, incidentId, { what: 'muted', by, at: now, until });
    return { by, from: running?.from ?? now, until, isRepeat: false };
  });
}

export function unmute(
  db: Database,
  watchId: string,
  incidentId: number | null,
  by: string,
  now: Date,
): Promise<boolean> {
  return db.withTransaction(async (sql) => {
    const watch = await lockedWatch(sql, watchId);
    if (watch === undefined) return false;
    const ended = await sql.write(`UPDATE mutes SET until = $3, ended_by = $4 WHERE ${RUNNING}`, [
      watchId,
      incidentId,
      now,
      by,
    ]);
    if (ended > 0) await note(sql, watch, incidentId, { what: 'unmuted', by, at: now });
    return ended > 0;
  });
}

const RUNNING = 'watch_id = $1 AND incident_id IS NOT DISTINCT FROM $2 AND until > $3';
const BEGIN = `
  INSERT INTO mutes (id, watch_id, incident_id, muted_at, muted_by, until) VALUES (gen_random_uuid()::text, $1, $2, $3, $4, $5)`;

/** Two who mute the same thing at once take turns. */
async function lockedWatch(sql: Sql, watchId: string) {
  const one = `SELECT ${WATCH_COLUMNS} FROM watches w WHERE id = $1 AND ended_at IS NULL FOR NO KEY UPDATE`;
  return (await sql.rows(WatchRow, one, [watchId]))[0];
}

type Muted = { readonly by: string; readonly at: Date } & (
  | { readonly what: 'muted'; readonly until: Date }
  | { readonly what: 'unmuted' }
);

async function note(sql: Sql, watch: z.output<typeof WatchRow>, incidentId: number | null, event: Muted) {
  const act: Act = { by: event.by, now: event.at };
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
export async function muted(sql: SqlRows, channel: string | null, now: Date) {
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
