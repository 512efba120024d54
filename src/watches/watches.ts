import { z } from 'zod';
import { WATCHED_VERDICTS } from '../domain/failures/verdict.ts';
import { lastWallClock } from '../domain/time/wall-clock.ts';
import { requireRoom, UNFILTERED, type Watch, type WatchFilter, type WatchSettings } from '../domain/watches/watch.ts';
import { isSameWatch, settingsKey } from '../domain/watches/watch-settings.ts';
import { recordOnWatch } from '../store/changes/audited.ts';
import { type Database, jsonOf, type Sql, type SqlRows } from '../store/database/database.ts';
import { rowWith } from '../store/database/row.ts';
import { setTimeZone } from '../store/watches/channel-settings.ts';
import type { ChangeWatchStore, WatchChange, WatchChanged } from '../use-cases/watches/change-watch.ts';
import type { EndWatchStore } from '../use-cases/watches/end-watch.ts';
import type { MakeWatchStore, NewWatch } from '../use-cases/watches/make-watch.ts';

export interface Watches extends Pick<MakeWatchStore, 'makeWatch'>, ChangeWatchStore, EndWatchStore {
  /** Returns the configured channel's watch, making it at `now` if there is none. It is alerted to what is recorded after that. */
  ensureWatch(channel: string, now: Date): Promise<Watch>;
  /**
   * Gives the configured channel the configured watch. A new channel takes over the existing watch; its posted messages stay as they are,
   * and what goes on is told again where it can be seen. Null removes it. Watches made by people are left alone.
   */
  configureWatch(channel: string | null, now: Date): Promise<void>;
  watches(channel?: string): Promise<Watch[]>;
}

const Names = z.array(z.string());
export const StoredMention = z.object({ kind: z.enum(['person', 'user-group']), id: z.string() });

const StoredSettings = z.object({
  filter: z.object({
    environments: Names,
    workflows: Names,
    channels: Names,
    providers: Names,
    subscribers: Names.default([]),
    severities: Names,
    verdicts: z.array(z.enum(WATCHED_VERDICTS)),
    topics: Names,
    contexts: Names,
    tags: Names,
  }),
  threshold: z.object({ failures: z.number(), withinMs: z.number(), rate: z.number().nullable() }).nullable(),
  everyMs: z.number(),
  mention: StoredMention.nullable(),
  quiet: z.object({ from: z.number(), to: z.number() }).nullable(),
  timeZone: z.string(),
  summaryAt: z.number().nullable(),
  hasThread: z.boolean(),
  hasChanges: z.boolean().default(false),
});

export const WatchRow = rowWith({
  id: z.string(),
  channel: z.string(),
  number: z.number(),
  createdAt: z.date(),
  createdBy: z.string().nullable(),
  tellsFrom: z.date(),
  settings: StoredSettings.nullable().transform((settings) => settings ?? UNFILTERED),
});

/** The columns for `WatchRow`, of the table named `w`. */
export const WATCH_COLUMNS = 'w.id, w.channel, w.number, w.created_at, w.created_by, w.tells_from, w.settings';

const OF_CHANNEL = `SELECT ${WATCH_COLUMNS} FROM watches w
  WHERE ended_at IS NULL AND ($1::text IS NULL OR channel = $1) ORDER BY created_at, id`;

export function watches(database: Database): Watches {
  return {
    ensureWatch: (channel, now) => database.withTransaction((sql) => ensureWatch(sql, channel, now)),
    configureWatch: (channel, now) => database.withTransaction((sql) => configureWatch(sql, channel, now)),
    makeWatch: (watch, now) => database.withTransaction((sql) => makeWatch(sql, watch, now)),
    changeWatch: (watchId, change, now) => database.withTransaction((sql) => changeWatch(sql, watchId, change, now)),
    endWatch: (watchId, by, now) => database.withTransaction((sql) => endWatch(sql, watchId, by, now)),
    watches: (channel) => database.rows(WatchRow, OF_CHANNEL, [channel ?? null]),
    watch: async (watchId) => {
      const one = `SELECT ${WATCH_COLUMNS} FROM watches w WHERE id = $1 AND ended_at IS NULL`;
      return (await database.rows(WatchRow, one, [watchId]))[0] ?? null;
    },
  };
}

/** The active watch that sent a message. */
export async function watchOfMessage(sql: SqlRows, messageId: string): Promise<Watch | null> {
  const sender = `SELECT ${WATCH_COLUMNS} FROM watches w JOIN messages m ON m.watch_id = w.id WHERE m.id = $1 AND w.ended_at IS NULL`;
  return (await sql.rows(WatchRow, sender, [messageId]))[0] ?? null;
}

/** Anyone who makes or changes one at the same time waits. */
const LOCK = 'LOCK TABLE watches IN SHARE ROW EXCLUSIVE MODE';

async function makeWatch(
  sql: Sql,
  { channel, createdBy, settings, zone = 'said' }: NewWatch,
  now: Date,
): Promise<Watch> {
  await sql.write(LOCK);
  const others = await sql.rows(WatchRow, OF_CHANNEL, [channel]);
  const same = others.find((other) => other.createdBy !== null && isSameWatch(other.settings, settings, zone));
  if (same !== undefined) return same;
  requireRoom(others);
  const made = await addWatch(sql, channel, createdBy, settings, now);
  if (zone === 'said') await setTimeZone(sql, channel, settings.timeZone);
  await recordOnWatch(sql, made, { by: createdBy, now }, (words) => ({ action: 'watch-made', watch: words }));
  return made;
}

const ChangerRow = z.object({ changed_by: z.string().nullable() });

async function changeWatch(
  sql: Sql,
  watchId: string,
  { settings, was, by }: WatchChange,
  now: Date,
): Promise<WatchChanged> {
  await sql.write(LOCK);
  const one = `FROM watches w WHERE id = $1 AND ended_at IS NULL FOR UPDATE`;
  const [watch] = await sql.rows(WatchRow, `SELECT ${WATCH_COLUMNS} ${one}`, [watchId]);
  if (watch === undefined) return { outcome: 'ended' };
  if (isSameWatch(watch.settings, settings, 'said')) return { outcome: 'unchanged' };
  if (settingsKey(watch.settings) !== was) {
    const [changer] = await sql.rows(ChangerRow, `SELECT changed_by ${one}`, [watchId]);
    return { outcome: 'meanwhile', watch, by: changer?.changed_by ?? null };
  }
  const ofChannel = await sql.rows(WatchRow, OF_CHANNEL, [watch.channel]);
  const same = ofChannel.find(({ id, settings: others }) => id !== watchId && isSameWatch(others, settings, 'said'));
  if (same !== undefined) return { outcome: 'there-already', number: same.number };
  const before = watch.settings;
  const tellsFrom = coversMore(before.filter, settings.filter) ? now : watch.tellsFrom;
  await sql.write(CHANGE, [watchId, jsonOf(settings), by, tellsFrom, settings.hasChanges]);
  await setTimeZone(sql, watch.channel, settings.timeZone);
  if (before.summaryAt === null && settings.summaryAt !== null) {
    const { day } = lastWallClock(settings.summaryAt, settings.timeZone, now);
    await sql.write('UPDATE watches SET summed_to = $2, last_summary_day = $3 WHERE id = $1', [watchId, now, day]);
  }
  const changed = { ...watch, settings, tellsFrom };
  await recordOnWatch(sql, changed, { by, now }, (words) => ({ action: 'watch-changed', watch: words }));
  return { outcome: 'changed', watch: changed };
}

/** All changes until now count as seen, in each environment. */
const CHANGES_SEEN = `(SELECT jsonb_build_object('', coalesce(max(id), 0)) FROM changes)`;

/** A watch that begins to show changes shows those from then on. */
const CHANGE = `
  UPDATE watches SET settings = $2::jsonb, changed_by = $3, tells_from = $4,
    changes_to = CASE WHEN $5::boolean THEN coalesce(changes_to, ${CHANGES_SEEN}) END
  WHERE id = $1`;

/** Whether a filter may match what the one before it didn't: the past of that is no news. */
function coversMore(before: WatchFilter, after: WatchFilter): boolean {
  return (Object.keys(after) as (keyof WatchFilter)[]).some((name) => {
    const [was, is]: readonly (readonly string[])[] = [before[name], after[name]];
    return (
      was !== undefined &&
      was.length > 0 &&
      (is === undefined || is.length === 0 || is.some((value) => !was.includes(value)))
    );
  });
}

async function endWatch(sql: Sql, watchId: string, by: string, now: Date): Promise<boolean> {
  const end = `UPDATE watches w SET ended_at = $2, ended_by = $3 WHERE id = $1 AND ended_at IS NULL RETURNING ${WATCH_COLUMNS}`;
  const [ended] = await sql.rows(WatchRow, end, [watchId, now, by]);
  if (ended === undefined) return false;
  await recordOnWatch(sql, ended, { by, now }, (watch) => ({ action: 'watch-ended', watch }));
  return true;
}

async function addWatch(
  sql: Sql,
  channel: string,
  createdBy: string | null,
  settings: WatchSettings | null,
  now: Date,
): Promise<Watch> {
  const [watch] = await sql.rows(
    WatchRow,
    `INSERT INTO watches AS w (id, channel, number, created_at, created_by, is_configured, settings, tells_from, changes_to)
     VALUES (gen_random_uuid()::text, $1, ${NEXT_NUMBER}, $2, $3, $4, $5::jsonb, $2,
       CASE WHEN $6::boolean THEN ${CHANGES_SEEN} END) RETURNING ${WATCH_COLUMNS}`,
    [channel, now, createdBy, createdBy === null, settings && jsonOf(settings), settings?.hasChanges ?? false],
  );
  if (watch === undefined) throw new Error('a watch was not made');
  return watch;
}

/** The number of a new watch in channel $1. One that has ended keeps its own for as long as it is stored. */
const NEXT_NUMBER = '(SELECT coalesce(max(number), 0) + 1 FROM watches WHERE channel = $1)';

async function ensureWatch(sql: Sql, channel: string, now: Date): Promise<Watch> {
  const [known] = await sql.rows(WatchRow, CONFIGURED_WATCH, [channel]);
  return known?.channel === channel ? known : addWatch(sql, channel, null, null, now);
}

/** Replicas that start at once take turns, so that none makes a second watch. */
async function configureWatch(sql: Sql, channel: string | null, now: Date): Promise<void> {
  await sql.write(LOCK);
  if (channel !== null) {
    const [known] = await sql.rows(WatchRow, CONFIGURED_WATCH, [channel]);
    if (known !== undefined && known.channel !== channel) await moveWatch(sql, known.id, channel);
    await ensureWatch(sql, channel, now);
  }
  await sql.write(
    `UPDATE watches SET ended_at = $2, ended_by = 'configuration'
     WHERE is_configured AND ended_at IS NULL AND channel IS DISTINCT FROM $1`,
    [channel, now],
  );
}

/** The channel's own configured watch or, if it has none, another channel's oldest. */
const CONFIGURED_WATCH = `SELECT ${WATCH_COLUMNS} FROM watches w
  WHERE is_configured AND ended_at IS NULL ORDER BY channel = $1 DESC, created_at, id LIMIT 1`;

/** Its messages are gone as far as the new channel sees: open gaps are posted there again, and incidents that go on are told again. */
async function moveWatch(sql: Sql, watchId: string, channel: string): Promise<void> {
  await sql.write(`UPDATE watches SET channel = $1, number = ${NEXT_NUMBER} WHERE id = $2`, [channel, watchId]);
  await sql.write(
    `DELETE FROM messages m USING gaps g
    WHERE m.watch_id = $1 AND m.state = 'posted' AND m.kind = 'gap' AND g.id = m.subject AND g.closed_at IS NULL`,
    [watchId],
  );
  await sql.write(`UPDATE messages SET state = 'gone' WHERE watch_id = $1 AND state = 'posted'`, [watchId]);
}
