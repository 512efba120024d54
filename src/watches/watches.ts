import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type Act, record } from '../audit/audit.ts';
import type { UnseenName } from '../incidents/unseen-names.ts';
import { InputError } from '../lib/errors.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import type { ChannelRefusal } from '../lib/refusals.ts';
import { type Storable, storableText, stored } from '../lib/text/shown-id.ts';
import { type Channels, isDirectMessage, type Workspace } from '../lib/workspace.ts';
import type { EmailMatch } from '../service/subscribers-by-contact.ts';
import { type Ctx, type Db, onlyRow } from '../store/db.ts';
import { withMention } from './mention.ts';
import { neverSeen } from './never-seen.ts';
import { describeWatch, isSameWatch } from './parse-settings.ts';
import { type ResolveCtx, resolveSettings } from './resolve-settings.ts';
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

export function watchNumberIn(words: readonly string[], command: string): number | null {
  const [word, ...others] = words;
  if (word === undefined) return null;
  if (/^[1-9]\d{0,5}$/.test(word) && others.length === 0) return Number(word);
  throw new InputError('number', `${command} takes the number of a watch, as /notif watches shows it.`, `${command} 2`);
}

export function numberedWatches(number: number | null, all: readonly Watch[]): readonly [Watch, ...Watch[]] {
  const [first, ...others] = all.filter((watch) => number === null || watch.number === number);
  if (first !== undefined) return [first, ...others];
  if (all.length === 0) throw new InputError('watch', 'This channel has no watch.', '/notif watch');
  const what = `This channel has no watch ${number}. /notif watches lists them. An incident is written #${number}.`;
  throw new InputError('number', what, '/notif watches');
}

export const MOST_WATCHES = 20;

export interface CreateCtx extends Ctx, ResolveCtx {
  workspace: Pick<Workspace, 'timeZoneOf' | 'userGroups'>;
  channels: Pick<Channels, 'ask'>;
}

export interface WantedWatch {
  channel: string;
  actor: string;
  filters: FilterMap;
  isConfirmed: boolean;
}

/** A watch that is made once a person has seen what is unusual about it. */
export interface Unconfirmed {
  is: 'unconfirmed';
  unknown: readonly UnseenName[];
  isShared: boolean;
  settings: WatchSettings;
  addresses: readonly EmailMatch[];
}

type CreatedWatch =
  | { is: 'not-in-channel' }
  | Unconfirmed
  | { is: 'made'; watch: Watch; addresses: readonly EmailMatch[] };

export async function createWatch(ctx: CreateCtx, wanted: WantedWatch): Promise<CreatedWatch> {
  const { channel, actor } = wanted;
  const { canPost, isShared } = await channelAccess(ctx, channel);
  if (!canPost) return { is: 'not-in-channel' };
  const timeZone = await usualTimeZone(ctx, channel, actor);
  const typed = await withMention(ctx, wanted.filters, actor);
  const { settings, addresses } = await resolveSettings(ctx, typed, timeZone);
  if (!wanted.isConfirmed) {
    const unknown = await neverSeen(ctx, settings.filter, addresses);
    if (unknown.length > 0 || isShared) return { is: 'unconfirmed', unknown, isShared, settings, addresses };
  }
  return { is: 'made', watch: await makeWatch(ctx, { channel, actor, settings }), addresses };
}

/** The time zone of the channel's newest watch, else of the person who makes another. */
export async function usualTimeZone(
  { db, workspace }: Pick<CreateCtx, 'db' | 'workspace'>,
  channel: string,
  actor: string,
): Promise<string> {
  const newest = (await watchesIn(db, channel)).findLast(({ createdBy }) => createdBy !== null);
  return newest?.settings.timeZone ?? (await workspace.timeZoneOf(actor)) ?? 'UTC';
}

interface ChannelAccess {
  canPost: boolean;
  /** People of other organizations read it. */
  isShared: boolean;
}

/** If Slack doesn't say, Notif tries to post. */
async function channelAccess({ channels, logger }: CreateCtx, channel: string): Promise<ChannelAccess> {
  try {
    const now = await channels.ask(channel);
    return { canPost: now?.isMember === true && !now.isArchived, isShared: now?.isShared ?? true };
  } catch (error) {
    logger.warn({ err: error, channel }, "Slack didn't say whether Notif is in a channel");
    return { canPost: true, isShared: !isDirectMessage(channel) };
  }
}

interface ResolvedWatch {
  channel: string;
  actor: string;
  settings: WatchSettings;
}

export function makeWatch(ctx: Ctx, { channel, actor, settings }: ResolvedWatch): Promise<Watch> {
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

/** All changes until now count as seen. */
const CHANGES_SEEN = sql`(SELECT jsonb_build_object('', coalesce(max(id), 0)) FROM changes)`;

/** What the watch owes by its settings until now stays owed: alerts/ remembers the settings that it last used. */
export async function changeWatch(
  ctx: Ctx,
  watchId: string,
  { settings: wanted, actor }: { settings: WatchSettings | ((before: WatchSettings) => WatchSettings); actor: string },
): Promise<Watch | null> {
  return change(ctx, async (tx, now) => {
    const watch = await existingWatch(tx, watchId);
    const before = watch.settings;
    const settings = typeof wanted === 'function' ? wanted(before) : wanted;
    if (isSameWatch(before, settings)) return null;
    await watchesUnlike(settings, watch.channel, tx);
    const changesTo = settings.hasChanges ? sql`coalesce(${table.changesTo}, ${CHANGES_SEEN})` : null;
    // Otherwise the other summary would be due at once, of a time before.
    const isOtherSummary = before.summaryAt === null || before.summaryDay !== settings.summaryDay;
    const summed = isOtherSummary && settings.summaryAt !== null ? { summedTo: now } : {};
    const changed = { ...watch, settings };
    await updateWatch(tx, watchId, { settings, editedAt: now, changesTo, ...summed });
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
