import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type Act, record } from '../audit/audit.ts';
import { InputError } from '../lib/errors.ts';
import type { ChannelRefusal } from '../lib/refusals.ts';
import { type Storable, storableText, stored } from '../lib/text/shown-id.ts';
import { type Ctx, type Db, onlyRow } from '../store/db.ts';
import { describeWatch, isSameWatch } from './parse-settings.ts';
import { USUAL_SETTINGS, type Watch, type WatchSettings } from './settings.ts';
import { watches as table } from './tables.ts';

const hasId = (watchId: string): SQL => eq(table.id, watchId);

function active(db: Db, isWanted?: SQL) {
  const { createdAt, endedAt, number } = table;
  const isActive = and(isNull(endedAt), isWanted);
  return db.select().from(table).where(isActive).orderBy(createdAt, number);
}

export async function watchesIn(db: Db, channel: string | null = null): Promise<Watch[]> {
  return active(db, channel === null ? undefined : eq(table.channel, channel));
}

export async function watchWithId(db: Db, watchId: string): Promise<Watch | null> {
  return (await active(db, hasId(watchId)))[0] ?? null;
}

export async function existingWatch(db: Db, watchId: string): Promise<Watch> {
  const watch = await watchWithId(db, watchId);
  if (watch !== null) return watch;
  throw new InputError('removed', 'This watch was removed.', null, "This channel's watches: /notif watches.");
}

export async function lockedWatch(tx: Db, watchId: string): Promise<Watch | null> {
  return (await active(tx, hasId(watchId)).for('no key update'))[0] ?? null;
}

/** Locks a watch, also one that has ended. */
export async function lockedWithEnded(tx: Db, watchId: string): Promise<Watch | null> {
  const [watch] = await tx.select().from(table).where(hasId(watchId)).for('no key update');
  return watch ?? null;
}

export async function updateWatch(tx: Db, watchId: string, values: PgUpdateSetSource<typeof table>): Promise<void> {
  await tx.update(table).set(values).where(hasId(watchId));
}

export async function clearRefusal(tx: Db, watchId: string): Promise<void> {
  await tx
    .update(table)
    .set({ refusedAt: null })
    .where(and(hasId(watchId), isNotNull(table.refusedAt)));
}

/** What happens to a watch. */
export type WatchChange =
  | { action: 'watch-made' | 'watch-changed' | 'watch-ended' }
  | { action: 'watch-unmuted'; part: Storable | null }
  | { action: 'watch-lost'; why: ChannelRefusal }
  | { action: 'watch-muted'; from: Date; until: Date; part: Storable | null };

export async function recordOnWatch(
  tx: Db,
  { channel, settings }: Watch,
  act: Act,
  change: WatchChange,
): Promise<void> {
  const watch = storableText(describeWatch(settings));
  await record(tx, act, { channel, environment: null, change: stored({ ...change, watch }) });
}

/** The number that is typed behind a command; null: none. */
export function watchNumberIn(words: readonly string[], command: string): number | null {
  const [word, ...others] = words;
  if (word === undefined) return null;
  if (/^[1-9]\d{0,5}$/.test(word) && others.length === 0) return Number(word);
  throw new InputError('number', `${command} takes the number of a watch, as /notif watches shows it.`, `${command} 2`);
}

/** One of the channel's watches, or all of them without a number. */
export function numberedWatches(number: number | null, all: readonly Watch[]): readonly [Watch, ...Watch[]] {
  const [first, ...others] = all.filter((watch) => number === null || watch.number === number);
  if (first !== undefined) return [first, ...others];
  if (all.length === 0) throw new InputError('watch', 'This channel has no watch.', '/notif watch');
  const what = `This channel has no watch ${number}. /notif watches lists them. An incident is written #${number}.`;
  throw new InputError('number', what, '/notif watches');
}

/** In a channel. */
export const MOST_WATCHES = 20;

interface NewWatch {
  channel: string;
  actor: string;
  settings: WatchSettings;
}

/** Throws an InputError if the channel has such a watch, or too many. */
export function makeWatch(ctx: Ctx, { channel, actor, settings }: NewWatch): Promise<Watch> {
  return change(ctx, async (tx, now) => {
    const others = await watchesUnlike(settings, channel, tx);
    if (others.length >= MOST_WATCHES) {
      const message = `A channel has at most ${MOST_WATCHES} watches. Remove one first.`;
      throw new InputError('watch', message, '/notif watches');
    }
    const watch = await addWatch(tx, { channel, createdBy: actor, settings }, now);
    await recordOnWatch(tx, watch, { actor, now }, { action: 'watch-made' });
    return watch;
  });
}

/** The channel's watches. Throws an InputError if one of them has these settings. */
async function watchesUnlike(settings: WatchSettings, channel: string, tx: Db): Promise<Watch[]> {
  const others = await watchesIn(tx, channel);
  const same = others.find((watch) => isSameWatch(watch.settings, settings));
  if (same === undefined) return others;
  const what = `Watch ${same.number} of this channel has these settings already.`;
  throw new InputError('watch', what, null, 'Choose other settings, or edit that watch.');
}

/** All changes until now count as seen, of each environment (''). */
const CHANGES_SEEN = sql`(SELECT jsonb_build_object('', coalesce(max(id), 0)) FROM changes)`;

export interface EditCtx extends Ctx {
  /** Before another edit: notes the last one where no pass of alerts/ has seen it, so that what the settings in between cover isn't lost. */
  noteUnseenEdit: (tx: Db, watch: Watch, now: Date) => Promise<void>;
}

/** Returns null if it has these settings. What the watch owes by its settings until now stays owed. */
export async function changeWatch(
  ctx: EditCtx,
  watchId: string,
  { settings: wanted, actor }: { settings: WatchSettings | ((before: WatchSettings) => WatchSettings); actor: string },
): Promise<Watch | null> {
  return change(ctx, async (tx, now) => {
    const watch = await existingWatch(tx, watchId);
    const before = watch.settings;
    const settings = typeof wanted === 'function' ? wanted(before) : wanted;
    if (isSameWatch(before, settings)) return null;
    await watchesUnlike(settings, watch.channel, tx);
    await ctx.noteUnseenEdit(tx, watch, now);
    const changesTo = settings.hasChanges ? sql`coalesce(${table.changesTo}, ${CHANGES_SEEN})` : null;
    const isOtherSummary = before.summaryAt === null || before.summaryDay !== settings.summaryDay;
    // Otherwise the new summary would be due at once, of the time before it was wanted.
    const summed = settings.summaryAt !== null && isOtherSummary ? { summedTo: now } : {};
    await updateWatch(tx, watchId, { settings, editedAt: now, changesTo, ...summed });
    const changed = { ...watch, settings };
    await recordOnWatch(tx, changed, { actor, now }, { action: 'watch-changed' });
    return changed;
  });
}

export async function endWatch(ctx: Ctx, watchId: string, actor: string): Promise<Watch> {
  return change(ctx, async (tx, now) => {
    const watch = await existingWatch(tx, watchId);
    if (watch.createdBy === null) {
      const what = 'This watch comes from NOTIF_DIGEST_CHANNEL: to remove it, unset that variable and restart Notif.';
      throw new InputError('watch', what, null, 'It can be changed and muted: /notif watches.');
    }
    await updateWatch(tx, watchId, { endedAt: now });
    await recordOnWatch(tx, watch, { actor, now }, { action: 'watch-ended' });
    return watch;
  });
}

/** Does what depends on all watches, such as their numbers, while nobody else changes one. */
function change<Changed>({ db, now }: Ctx, work: (tx: Db, now: Date) => Promise<Changed>): Promise<Changed> {
  return db.transaction(async (tx) => {
    await tx.write(sql`LOCK TABLE watches IN SHARE ROW EXCLUSIVE MODE`);
    return work(tx, now());
  });
}

/** Makes, moves or ends the watch of NOTIF_DIGEST_CHANNEL. A new channel is notified of open incidents again. */
export async function configureWatch(ctx: Ctx, channel: string | null): Promise<void> {
  await change(ctx, async (tx, now) => {
    const [watch] = await active(tx, isNull(table.createdBy));
    if (watch === undefined) {
      if (channel !== null) await addWatch(tx, { channel, createdBy: null, settings: USUAL_SETTINGS }, now);
    } else if (channel === null) {
      await updateWatch(tx, watch.id, { endedAt: now });
    } else if (watch.channel !== channel) {
      await updateWatch(tx, watch.id, { channel, number: nextNumber(channel) });
    }
  });
}

async function addWatch(tx: Db, added: Pick<Watch, 'channel' | 'createdBy' | 'settings'>, now: Date): Promise<Watch> {
  const changesTo = added.settings.hasChanges ? CHANGES_SEEN : null;
  const row = { ...added, number: nextNumber(added.channel), createdAt: now, changesTo };
  return onlyRow(await tx.insert(table).values(row).returning());
}

const nextNumber = (channel: string): SQL =>
  sql`(SELECT coalesce(max(number), 0) + 1 FROM watches WHERE channel = ${channel})`;
