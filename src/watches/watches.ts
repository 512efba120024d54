import { z } from 'zod';
import { recordOnWatch } from '../audit/audit.ts';
import { InputError } from '../domain/errors.ts';
import { lastWallClock } from '../domain/time/wall-clock.ts';
import type { ActCtx } from '../incidents/actions.ts';
import type { Db } from '../store/db.ts';
import { rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { setTimeZone } from './channel-settings.ts';
import {
  coversMore,
  followRenamed,
  isSameWatch,
  type RenamedWorkflow,
  settingsKey,
  UNFILTERED,
  type Watch,
  WatchSettings,
  type ZoneNaming,
} from './settings.ts';

export type WatchCtx = Pick<ActCtx, 'db' | 'logger' | 'now'>;

export const WatchRow = rowWith({
  id: z.string(),
  channel: z.string(),
  number: z.number(),
  createdAt: z.date(),
  createdBy: z.string().nullable(),
  tellsFrom: z.date(),
  settings: WatchSettings,
});

/** The columns for `WatchRow`, of the table named `w`. */
export const WATCH_COLUMNS = 'w.id, w.channel, w.number, w.created_at, w.created_by, w.tells_from, w.settings';

/** The watches of a channel, or of all. */
export function watches(sql: Db, channel: string | null = null): Promise<Watch[]> {
  const some = `SELECT ${WATCH_COLUMNS} FROM watches w
    WHERE ended_at IS NULL AND ($1::text IS NULL OR channel = $1) ORDER BY created_at, id`;
  return sql.rows(WatchRow, some, [channel]);
}

/** Null if it has ended. */
export async function watchWithId(sql: Db, watchId: string, lock = ''): Promise<Watch | null> {
  const single = `SELECT ${WATCH_COLUMNS} FROM watches w WHERE id = $1 AND ended_at IS NULL ${lock}`;
  return (await sql.rows(WatchRow, single, [watchId]))[0] ?? null;
}

/** The active watch that sent a message. */
export async function watchOfMessage(sql: Db, messageId: string): Promise<Watch | null> {
  const sender = `SELECT ${WATCH_COLUMNS} FROM watches w JOIN messages m ON m.watch_id = w.id WHERE m.id = $1 AND w.ended_at IS NULL`;
  return (await sql.rows(WatchRow, sender, [messageId]))[0] ?? null;
}

/** Returns the number after a command, null if nothing is there. Throws an `InputError` for anything else. */
export function watchNumberIn(words: readonly string[], command: string): number | null {
  const [word, ...others] = words;
  if (word === undefined) return null;
  if (/^[1-9]\d{0,5}$/.test(word) && others.length === 0) return Number(word);
  throw new InputError('number', `${command} takes the number of a watch, as /notif watches shows it.`, `${command} 2`);
}

/** Returns the watch with a number, or all of these. Throws an `InputError` if there is none. */
export function numberedWatches(number: number | null, all: readonly Watch[]): readonly [Watch, ...Watch[]] {
  const [first, ...others] = all.filter((watch) => number === null || watch.number === number);
  if (first !== undefined) return [first, ...others];
  if (all.length === 0) throw new InputError('watch', 'This channel has no watch.', '/notif watch');
  throw new InputError('number', `This channel has no watch ${number}. /notif watches lists them.`, '/notif watches');
}

/** As many as one list shows; more are refused. */
export const MOST_WATCHES = 20;

/** Throws an `InputError` if a channel with these watches has no room for another. */
export function requireRoom(all: readonly Watch[]): void {
  if (all.length < MOST_WATCHES) return;
  const message = `A channel has at most ${MOST_WATCHES} watches. Remove one first.`;
  throw new InputError('watch', message, '/notif watches');
}

export interface NewWatch {
  readonly channel: string;
  readonly by: string;
  readonly settings: WatchSettings;
  /** One that was named becomes the channel's default. */
  readonly zone: ZoneNaming;
}

export interface ThereAlready {
  readonly is: 'there-already';
  readonly number: number;
}

export type Making = ThereAlready | { readonly is: 'made'; readonly watch: Watch };

/** Once, also after a double click. It is told of what is recorded from then on. Throws an `InputError` if the channel is full. */
export function makeWatch(ctx: WatchCtx, { channel, by, settings, zone }: NewWatch): Promise<Making> {
  return change(ctx, by, async (sql, now): Promise<Making> => {
    const others = await watches(sql, channel);
    const same = others.find((other) => isSameWatch(other.settings, settings, zone));
    if (same !== undefined) return { is: 'there-already', number: same.number };
    requireRoom(others);
    const watch = await addWatch(sql, channel, by, settings, now);
    if (zone === 'said') await setTimeZone(sql, channel, settings.timeZone);
    await recordOnWatch(sql, watch, { by, now }, (words) => ({ action: 'watch-made', watch: words }));
    return { is: 'made', watch };
  });
}

export interface WatchChange {
  readonly settings: WatchSettings;
  /** The watch's `settingsKey` when the person began to change it. */
  readonly was: string;
  readonly by: string;
}

export type Changing =
  /** The channel has another watch with these settings, which would alert twice. */
  | ThereAlready
  | { readonly is: 'changed'; readonly watch: Watch }
  /** It has these settings already, and nothing was written. */
  | { readonly is: 'unchanged' }
  /** Somebody else, or if null Notif itself, changed it meanwhile; the watch keeps those settings. */
  | { readonly is: 'meanwhile'; readonly watch: Watch; readonly by: string | null }
  | { readonly is: 'ended' };

/** Once, also after a double click. Its time zone becomes the default of its channel. */
export function changeWatch(ctx: WatchCtx, watchId: string, { settings, was, by }: WatchChange): Promise<Changing> {
  return change(ctx, by, async (sql, now): Promise<Changing> => {
    const watch = await watchWithId(sql, watchId);
    if (watch === null) return { is: 'ended' };
    const before = watch.settings;
    if (isSameWatch(before, settings, 'said')) return { is: 'unchanged' };
    if (settingsKey(before) !== was) {
      const [changer] = await sql.rows(ChangerRow, 'SELECT changed_by FROM watches WHERE id = $1', [watchId]);
      return { is: 'meanwhile', watch, by: changer?.changed_by ?? null };
    }
    const others = (await watches(sql, watch.channel)).filter(({ id }) => id !== watchId);
    const same = others.find((other) => isSameWatch(other.settings, settings, 'said'));
    if (same !== undefined) return { is: 'there-already', number: same.number };
    // What a wider filter would have matched before is no news.
    const tellsFrom = coversMore(before.filter, settings.filter) ? now : watch.tellsFrom;
    await sql.write(CHANGE, [watchId, jsonOf(settings), by, tellsFrom, settings.hasChanges]);
    await setTimeZone(sql, watch.channel, settings.timeZone);
    if (before.summaryAt === null && settings.summaryAt !== null) {
      const { day } = lastWallClock(settings.summaryAt, settings.timeZone, now);
      await sql.write('UPDATE watches SET summed_to = $2, last_summary_day = $3 WHERE id = $1', [watchId, now, day]);
    }
    const changed = { ...watch, settings, tellsFrom };
    await recordOnWatch(sql, changed, { by, now }, (words) => ({ action: 'watch-changed', watch: words }));
    return { is: 'changed', watch: changed };
  });
}

export type Ending =
  | { readonly is: 'ended'; readonly watch: Watch }
  | { readonly is: 'ended-before' }
  /** `NOTIF_DIGEST_CHANNEL` requires it. */
  | { readonly is: 'configured' };

export function endWatch(ctx: WatchCtx, watchId: string, by: string): Promise<Ending> {
  return change(ctx, by, async (sql, now): Promise<Ending> => {
    const watch = await watchWithId(sql, watchId);
    if (watch === null) return { is: 'ended-before' };
    if (watch.createdBy === null) return { is: 'configured' };
    await sql.write('UPDATE watches SET ended_at = $2, ended_by = $3 WHERE id = $1', [watchId, now, by]);
    await recordOnWatch(sql, watch, { by, now }, (words) => ({ action: 'watch-ended', watch: words }));
    return { is: 'ended', watch };
  });
}

/** Two who make or change one at the same time take turns. */
async function change<Done extends { readonly is: string; readonly watch?: Watch }>(
  { db, logger, now }: WatchCtx,
  by: string,
  work: (sql: Db, now: Date) => Promise<Done>,
): Promise<Done> {
  const done = await db.transaction(async (sql) => {
    await sql.write(LOCK);
    return work(sql, now());
  });
  const { is, watch } = done;
  if (watch !== undefined && is !== 'meanwhile')
    logger.info({ watchId: watch.id, channel: watch.channel, by }, `watch ${is}`);
  return done;
}

/**
 * Gives the configured channel the configured watch. A new channel takes over the existing watch; its posted messages stay as they are,
 * and what goes on is told again where it can be seen. Null removes it. Watches made by people are left alone.
 */
export function configureWatch({ db, now }: Pick<WatchCtx, 'db' | 'now'>, channel: string | null): Promise<void> {
  return db.transaction(async (sql) => {
    await sql.write(LOCK);
    if (channel !== null) {
      const [known] = await sql.rows(WatchRow, CONFIGURED_WATCH, [channel]);
      if (known === undefined) await addWatch(sql, channel, null, UNFILTERED, now());
      else if (known.channel !== channel) await moveWatch(sql, known.id, channel);
    }
    await sql.write(
      `UPDATE watches SET ended_at = $2, ended_by = 'configuration'
       WHERE is_configured AND ended_at IS NULL AND channel IS DISTINCT FROM $1`,
      [channel, now()],
    );
  });
}

/** Its messages are gone as far as the new channel sees: open gaps are posted there again, and incidents that go on are told again. */
async function moveWatch(sql: Db, watchId: string, channel: string): Promise<void> {
  await sql.write(`UPDATE watches SET channel = $1, number = ${NEXT_NUMBER} WHERE id = $2`, [channel, watchId]);
  await sql.write(
    `DELETE FROM messages m USING gaps g
     WHERE m.watch_id = $1 AND m.state = 'posted' AND m.kind = 'gap' AND g.id = m.subject AND g.closed_at IS NULL`,
    [watchId],
  );
  await sql.write(`UPDATE messages SET state = 'gone' WHERE watch_id = $1 AND state = 'posted'`, [watchId]);
}

/** Keeps watches on workflows that were renamed. */
export async function keepOnRenamed(sql: Db, environment: string, renamed: readonly RenamedWorkflow[]): Promise<void> {
  if (renamed.length === 0) return;
  for (const { id, settings } of await sql.rows(WatchRow, NAMING_WORKFLOWS)) {
    const filter = followRenamed(settings.filter, environment, renamed);
    if (filter === null) continue;
    const change = 'UPDATE watches SET settings = $2::jsonb, changed_by = NULL WHERE id = $1';
    await sql.write(change, [id, jsonOf({ ...settings, filter })]);
  }
}

async function addWatch(sql: Db, channel: string, by: string | null, settings: WatchSettings, now: Date) {
  const values = [channel, now, by, by === null, jsonOf(settings), settings.hasChanges];
  const [watch] = await sql.rows(WatchRow, ADD, values);
  if (watch === undefined) throw new Error('a watch was not made');
  return watch;
}

/** Anyone who makes or changes one at the same time waits, and so do replicas that start at once. */
const LOCK = 'LOCK TABLE watches IN SHARE ROW EXCLUSIVE MODE';

/** All changes until now count as seen, in each environment: a watch that begins to show changes shows those from then on. */
const CHANGES_SEEN = `(SELECT jsonb_build_object('', coalesce(max(id), 0)) FROM changes)`;

/** The number of a new watch in channel $1. One that has ended keeps its own for as long as it is stored. */
const NEXT_NUMBER = '(SELECT coalesce(max(number), 0) + 1 FROM watches WHERE channel = $1)';

const ADD = `
  INSERT INTO watches AS w (id, channel, number, created_at, created_by, is_configured, settings, tells_from, changes_to)
  VALUES (gen_random_uuid()::text, $1, ${NEXT_NUMBER}, $2, $3, $4, $5::jsonb, $2, CASE WHEN $6::boolean THEN ${CHANGES_SEEN} END)
  RETURNING ${WATCH_COLUMNS}`;

const ChangerRow = z.object({ changed_by: z.string().nullable() });

const CHANGE = `
  UPDATE watches SET settings = $2::jsonb, changed_by = $3, tells_from = $4,
    changes_to = CASE WHEN $5::boolean THEN coalesce(changes_to, ${CHANGES_SEEN}) END
  WHERE id = $1`;

/** The channel's own configured watch or, if it has none, another channel's oldest. */
const CONFIGURED_WATCH = `SELECT ${WATCH_COLUMNS} FROM watches w
  WHERE is_configured AND ended_at IS NULL ORDER BY channel = $1 DESC, created_at, id LIMIT 1`;

const NAMING_WORKFLOWS = `
  SELECT ${WATCH_COLUMNS} FROM watches w
  WHERE ended_at IS NULL AND jsonb_array_length(settings->'filter'->'workflows') > 0 ORDER BY id FOR UPDATE`;
