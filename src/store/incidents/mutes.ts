import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { EPISODE_MS, type Mute, type MuteAfter } from '../../domain/incidents/episode.ts';
import type { HistoryEvent } from '../../domain/incidents/history.ts';
import { type Act, recordOnIncident, recordOnWatch } from '../changes/audited.ts';
import type { Database, Sql, SqlWrite } from '../database/database.ts';
import { Count, IdRow } from '../database/row.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import { noteInThreads } from './threads.ts';

/** What is muted in a watch: a group by its key, or the whole watch if that is null. */
export interface RunningMute extends Mute {
  readonly groupKey: string | null;
}

export interface Mutes {
  /**
   * Mutes a group's incident in a watch, or the whole watch if `groupKey` is null. An active mute is extended to the new end under this
   * person's name; what was missed since its start is announced then. If the same person repeats it, as by a double click, nothing changes.
   * Null if the watch has ended.
   */
  mute(
    watchId: string,
    groupKey: string | null,
    mute: { readonly by: string; readonly until: Date },
    now: Date,
  ): Promise<(RunningMute & MuteAfter) | null>;
  unmute(watchId: string, groupKey: string | null, by: string, now: Date): Promise<boolean>;
  mutesOf(watchId: string, now: Date): Promise<RunningMute[]>;
}

const MuteRow = z
  .object({ group_key: z.string().nullable(), muted_by: z.string(), muted_at: z.date(), until: z.date() })
  .transform(
    (row): RunningMute => ({ groupKey: row.group_key, by: row.muted_by, from: row.muted_at, until: row.until }),
  );

export function mutes(database: Database): Mutes {
  return {
    mute: (watchId, groupKey, mute, now) =>
      database.withTransaction(async (sql) => {
        if (!(await lockWatch(sql, watchId))) return null;
        const repeated = await repeatedBy(sql, watchId, groupKey, mute, now);
        if (repeated !== null) return { ...repeated, isRepeat: true };
        const muted =
          (await prolong(sql, watchId, groupKey, mute, now)) ?? (await begin(sql, watchId, groupKey, mute, now));
        await redraw(sql, watchId, groupKey, now);
        await noteMute(sql, watchId, groupKey, { what: 'muted', by: mute.by, at: now, until: mute.until }, now);
        await recordMute(sql, watchId, groupKey, { by: mute.by, now }, mute.until);
        return { ...muted, isRepeat: false };
      }),
    unmute: (watchId, groupKey, by, now) =>
      database.withTransaction(async (sql) => {
        const end = `UPDATE mutes SET until = $3, ended_by = $4 WHERE ${RUNNING}`;
        const ended = await sql.write(end, [watchId, groupKey, now, by]);
        if (ended === 0) return false;
        await redraw(sql, watchId, groupKey, now);
        await noteMute(sql, watchId, groupKey, { what: 'unmuted', by, at: now }, now);
        await recordMute(sql, watchId, groupKey, { by, now }, null);
        return true;
      }),
    mutesOf: (watchId, now) =>
      database.rows(
        MuteRow,
        `SELECT * FROM mutes WHERE watch_id = $1 AND settled_at IS NULL AND until > $2
         ORDER BY group_key NULLS FIRST`,
        [watchId, now],
      ),
  };
}

export async function redrawAfterMutes(sql: SqlWrite, now: Date): Promise<void> {
  await sql.write(REDRAW_AFTER_MUTES, [now, subMilliseconds(now, EPISODE_MS)]);
}

/** The active mutes of watch $1 and group $2 at $3. */
const RUNNING = `watch_id = $1 AND settled_at IS NULL AND until > $3 AND CASE WHEN $2::text IS NULL THEN group_key IS NULL
  ELSE group_key IN (SELECT other.key FROM groups own JOIN groups other USING (incident_key) WHERE own.key = $2) END`;

/** Two people who mute the same thing at once take turns. A message of the watch can be written meanwhile. */
async function lockWatch(sql: Sql, watchId: string): Promise<boolean> {
  const found = await sql.rows(IdRow, 'SELECT id FROM watches WHERE id = $1 AND ended_at IS NULL FOR NO KEY UPDATE', [
    watchId,
  ]);
  return found.length > 0;
}

/** Records a mute or, if `until` is null, its end. */
async function recordMute(sql: Sql, watchId: string, groupKey: string | null, act: Act, until: Date | null) {
  const [watch] = await sql.rows(WatchRow, `SELECT ${WATCH_COLUMNS} FROM watches w WHERE id = $1`, [watchId]);
  if (watch === undefined) throw new Error(`there is no watch ${watchId}`);
  if (groupKey === null) {
    await recordOnWatch(sql, watch, act, (words) =>
      until === null ? { action: 'watch-unmuted', watch: words } : { action: 'watch-muted', watch: words, until },
    );
    return;
  }
  await recordOnIncident(sql, { groupKey, episodeId: null, channel: watch.channel }, act, (incident) =>
    until === null ? { action: 'incident-unmuted', incident } : { action: 'incident-muted', incident, until },
  );
}

type NewMute = { readonly by: string; readonly until: Date };

/** Ends this close to each other are the same: an hour from now, submitted twice. */
const SAME_END_MS = 60_000;

/** Returns the active mute that this person made until the same time; null if there is none, or another one as well. */
async function repeatedBy(sql: Sql, watchId: string, groupKey: string | null, { by, until }: NewMute, now: Date) {
  const running = await sql.rows(MuteRow, `SELECT * FROM mutes WHERE ${RUNNING}`, [watchId, groupKey, now]);
  const isSame = (mute: Mute) => mute.by === by && Math.abs(mute.until.getTime() - until.getTime()) < SAME_END_MS;
  return running.every(isSame) ? (running[0] ?? null) : null;
}

async function prolong(sql: Sql, watchId: string, groupKey: string | null, { by, until }: NewMute, now: Date) {
  const change = `UPDATE mutes SET muted_by = $4, until = $5 WHERE ${RUNNING} RETURNING *`;
  return (await sql.rows(MuteRow, change, [watchId, groupKey, now, by, until]))[0];
}

async function begin(sql: Sql, watchId: string, groupKey: string | null, { by, until }: NewMute, now: Date) {
  const [begun] = await sql.rows(
    MuteRow,
    `INSERT INTO mutes (id, watch_id, group_key, muted_by, muted_at, until)
     VALUES (gen_random_uuid()::text, $1, $2, $4, $3, $5) RETURNING *`,
    [watchId, groupKey, now, by, until],
  );
  if (begun === undefined) throw new Error('a mute was not begun');
  return begun;
}

/** Redraws the messages that show the incident, including one just being posted; no row shows a whole-watch mute. */
async function redraw(sql: Sql, watchId: string, groupKey: string | null, now: Date): Promise<void> {
  if (groupKey === null) return;
  await sql.write(
    `UPDATE messages d SET redraw_at = $3
     WHERE d.watch_id = $1 AND d.state <> 'gone' AND coalesce(d.posted_at, $3) > $4 AND EXISTS (
       SELECT 1 FROM announcements a JOIN episodes s ON s.id = a.episode_id
       WHERE a.message_id = d.id AND s.incident_key = (SELECT incident_key FROM groups WHERE key = $2)
     )`,
    [watchId, groupKey, now, subMilliseconds(now, EPISODE_MS)],
  );
}

const EpisodeRow = z.object({ id: Count });

async function noteMute(sql: Sql, watchId: string, groupKey: string | null, event: HistoryEvent, now: Date) {
  if (groupKey === null) return;
  const newest = `SELECT s.id FROM episodes s WHERE s.incident_key = (SELECT incident_key FROM groups WHERE key = $1) ORDER BY s.id DESC LIMIT 1`;
  const episodes = await sql.rows(EpisodeRow, newest, [groupKey]);
  await noteInThreads(
    sql,
    episodes.map(({ id }) => id),
    event,
    now,
    watchId,
  );
}

const REDRAW_AFTER_MUTES = `
  UPDATE messages d SET redraw_at = $1
  FROM mutes m
  WHERE m.until <= $1 AND m.until > $2 AND m.ended_by IS NULL AND m.group_key IS NOT NULL
    AND d.watch_id = m.watch_id AND d.state = 'posted' AND d.posted_at > $2 AND d.shown_to < m.until AND d.redraw_at IS NULL
    AND EXISTS (
      SELECT 1 FROM announcements a JOIN episodes s ON s.id = a.episode_id
      WHERE a.message_id = d.id AND s.incident_key = (SELECT incident_key FROM groups WHERE key = m.group_key)
    )`;
