import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { recordOnWatch } from '../audit/audit.ts';
import type { ActCtx } from '../incidents/actions.ts';
import type { EventReader } from '../lib/ctx.ts';
import { InputError } from '../lib/errors.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { lastWallClock } from '../lib/time/wall-clock.ts';
import type { Channels, Sharing, Workspace } from '../lib/workspace.ts';
import { type UnseenWorkflow, unseenWorkflows } from '../lookups/filter-conditions.ts';
import type { Db } from '../store/db.ts';
import * as tables from '../store/schema.ts';
import { setTimeZone, timeZoneOf } from './channel-settings.ts';
import { type AddressFound, type SettingsDefaults, settingsTyped } from './parse-settings.ts';
import {
  coversMore,
  filtersOf,
  followRenamed,
  isSameWatch,
  type RenamedWorkflow,
  UNFILTERED,
  type Watch,
  type WatchSettings,
} from './settings.ts';

export type WatchCtx = Pick<ActCtx, 'db' | 'logger' | 'now'>;

const hasId = (watchId: string) => eq(tables.watches.id, watchId);

function active(db: Db, which?: SQL) {
  const { createdAt, endedAt, id } = tables.watches;
  const isActive = and(isNull(endedAt), which);
  return db.select().from(tables.watches).where(isActive).orderBy(createdAt, id);
}

/** The watches of a channel, or of all. */
export async function watches(db: Db, channel: string | null = null) {
  return active(db, channel === null ? undefined : eq(tables.watches.channel, channel));
}

/** Null if it has ended. */
export async function watchWithId(db: Db, watchId: string): Promise<Watch | null> {
  return (await active(db, hasId(watchId)))[0] ?? null;
}

/** Others who lock it wait until the transaction ends. */
export async function lockedWatch(tx: Db, watchId: string): Promise<Watch | null> {
  return (await active(tx, hasId(watchId)).for('no key update'))[0] ?? null;
}

/** The active watch that sent a message. */
export async function watchOfMessage(db: Db, messageId: string): Promise<Watch | null> {
  const { id, watchId } = tables.messages;
  const sender = db.select({ watchId }).from(tables.messages).where(eq(id, messageId));
  return (await active(db, inArray(tables.watches.id, sender)))[0] ?? null;
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

export interface CreateCtx extends WatchCtx, Pick<SettingsDefaults, 'environments'> {
  readonly serviceOf: (environment: string) => EventReader;
  readonly workspace: Pick<Workspace, 'timeZoneOf' | 'userGroups'>;
  readonly channels: Pick<Channels, 'ask'>;
}

export interface WantedWatch {
  readonly channel: string;
  readonly by: string;
  readonly filters: FilterMap;
  /** The names of the default environments if `env:` isn't given; empty: all. */
  readonly usualEnvironments: readonly string[];
  /** Makes the watch even if a name in its filter has never been seen, or people of another organization may read it. */
  readonly isConfirmed: boolean;
}

interface ThereAlready {
  readonly is: 'there-already';
  readonly number: number;
}

export interface Unconfirmed {
  readonly is: 'unconfirmed';
  readonly unknown: readonly UnseenWorkflow[];
  readonly sharing: Sharing;
  readonly settings: WatchSettings;
  /** Without addresses, and with a time zone only if one was named. */
  readonly filters: FilterMap;
  readonly addresses: readonly AddressFound[];
}

export type Creating =
  | ThereAlready
  | Unconfirmed
  | { readonly is: 'made'; readonly watch: Watch; readonly addresses: readonly AddressFound[] }
  | { readonly is: 'not-in-channel' };

/** Throws an `InputError` for settings, an address without a subscriber, or too many watches, and a `ServiceError`. */
export async function createWatch(ctx: CreateCtx, wanted: WantedWatch): Promise<Creating> {
  const { environments } = ctx;
  const { channel, by, usualEnvironments } = wanted;
  const { canPost, sharing } = await lookAt(ctx, channel);
  if (!canPost) return { is: 'not-in-channel' };
  const typed = await withMention(wanted, ctx.workspace);
  // The channel's default, or the person's.
  const usualZone = (await timeZoneOf(ctx.db, channel)) ?? (await ctx.workspace.timeZoneOf(by));
  const defaults = { environments, usualEnvironments, timeZone: usualZone ?? 'UTC' };
  const { settings, addresses } = await settingsTyped(ctx, typed, defaults);
  const isZoneNamed = typed.tz !== undefined;
  if (!wanted.isConfirmed) {
    const unknown = await unseenWorkflows(ctx.db, settings.filter.workflows, environments);
    const { tz, ...others } = filtersOf(settings);
    const filters = isZoneNamed && tz !== undefined ? { ...others, tz } : others;
    if (unknown.length > 0 || sharing !== 'none')
      return { is: 'unconfirmed', unknown, sharing, settings, filters, addresses };
  }
  const making = await makeWatch(ctx, { channel, by, settings, isZoneNamed });
  return making.is === 'made' ? { ...making, addresses } : making;
}

/** If Slack doesn't say, Notif tries: a watch that can't post ends by itself. Nobody else can read a direct message (D…). */
async function lookAt({ channels, logger }: CreateCtx, channel: string) {
  try {
    const now = await channels.ask(channel);
    return { canPost: now?.isMember === true && !now.isArchived, sharing: now?.sharing ?? 'unknown' };
  } catch (error) {
    logger.warn({ err: error, channel }, "Slack didn't say whether Notif is in a channel");
    return { canPost: true, sharing: channel.startsWith('D') ? 'none' : 'unknown' } as const;
  }
}

/** Resolves a mention to a reference with an ID: `@handle` if Slack didn't make it one, `me` for the person who asks. */
async function withMention({ filters, by }: WantedWatch, workspace: CreateCtx['workspace']): Promise<FilterMap> {
  const [typed, ...others] = filters.mention ?? [];
  if (typed === undefined || others.length > 0) return filters;
  const name = typed.replace(/^@/, '').toLowerCase();
  if (name === 'me') return { ...filters, mention: [`<@${by}>`] };
  if (!typed.startsWith('@')) return filters;
  const userGroup = (await workspace.userGroups()).find(({ handle }) => handle.toLowerCase() === name);
  return userGroup === undefined ? filters : { ...filters, mention: [`<!subteam^${userGroup.id}>`] };
}

export interface NewWatch {
  readonly channel: string;
  readonly by: string;
  readonly settings: WatchSettings;
  /** One that was named becomes the channel's default. */
  readonly isZoneNamed: boolean;
}

export type Making = ThereAlready | { readonly is: 'made'; readonly watch: Watch };

/** Once, also after a double click. It is told of what is recorded from then on. Throws an `InputError` if the channel is full. */
export function makeWatch(ctx: WatchCtx, { channel, by, settings, isZoneNamed }: NewWatch): Promise<Making> {
  return change(ctx, by, async (tx, now): Promise<Making> => {
    const others = await watches(tx, channel);
    const same = others.find((other) => isSameWatch(other.settings, settings, isZoneNamed));
    if (same !== undefined) return { is: 'there-already', number: same.number };
    if (others.length >= MOST_WATCHES) {
      const message = `A channel has at most ${MOST_WATCHES} watches. Remove one first.`;
      throw new InputError('watch', message, '/notif watches');
    }
    const watch = await addWatch(tx, channel, by, settings, now);
    if (isZoneNamed) await setTimeZone(tx, channel, settings.timeZone);
    await recordOnWatch(tx, watch, { by, now }, (words) => ({ action: 'watch-made', watch: words }));
    return { is: 'made', watch };
  });
}

export type Changing =
  /** The channel has another watch with these settings, which would alert twice. */
  | ThereAlready
  | { readonly is: 'changed'; readonly watch: Watch }
  /** It has these settings already, and nothing was written. */
  | { readonly is: 'unchanged' }
  | { readonly is: 'ended' };

/** Once, also after a double click; of two people the later one, and the channel is told of both. Its time zone becomes the default of its channel. */
export function changeWatch(
  ctx: WatchCtx,
  watchId: string,
  { settings, by }: { readonly settings: WatchSettings; readonly by: string },
): Promise<Changing> {
  return change(ctx, by, async (tx, now): Promise<Changing> => {
    const [watch] = await active(tx, hasId(watchId));
    if (watch === undefined) return { is: 'ended' };
    const before = watch.settings;
    if (isSameWatch(before, settings, true)) return { is: 'unchanged' };
    const others = (await watches(tx, watch.channel)).filter(({ id }) => id !== watchId);
    const same = others.find((other) => isSameWatch(other.settings, settings, true));
    if (same !== undefined) return { is: 'there-already', number: same.number };
    // What a wider filter would have matched before is no news.
    const tellsFrom = coversMore(before.filter, settings.filter) ? now : watch.tellsFrom;
    const changesTo = settings.hasChanges ? sql`coalesce(${tables.watches.changesTo}, ${CHANGES_SEEN})` : null;
    const { summaryAt, timeZone } = settings;
    const isFirst = before.summaryAt === null && summaryAt !== null;
    const summed = isFirst ? { summedTo: now, lastSummaryDay: lastWallClock(summaryAt, timeZone, now).day } : {};
    const changed = { ...watch, settings, tellsFrom };
    const stored = { settings, tellsFrom, changedBy: by, changesTo, ...summed };
    await tx.update(tables.watches).set(stored).where(hasId(watchId));
    await setTimeZone(tx, watch.channel, timeZone);
    await recordOnWatch(tx, changed, { by, now }, (words) => ({ action: 'watch-changed', watch: words }));
    return { is: 'changed', watch: changed };
  });
}

export type Ending =
  | { readonly is: 'ended'; readonly watch: Watch }
  | { readonly is: 'ended-before' }
  /** `NOTIF_DIGEST_CHANNEL` requires it. */
  | { readonly is: 'configured' };

export function endWatch(ctx: WatchCtx, watchId: string, by: string): Promise<Ending> {
  return change(ctx, by, async (tx, now): Promise<Ending> => {
    const watch = await watchWithId(tx, watchId);
    if (watch === null) return { is: 'ended-before' };
    if (watch.createdBy === null) return { is: 'configured' };
    await tx.update(tables.watches).set({ endedAt: now, endedBy: by }).where(hasId(watchId));
    await recordOnWatch(tx, watch, { by, now }, (words) => ({ action: 'watch-ended', watch: words }));
    return { is: 'ended', watch };
  });
}

/** Two who make or change one at the same time take turns. */
async function change<Done extends { readonly is: string; readonly watch?: Watch }>(
  { db, logger, now }: WatchCtx,
  by: string,
  work: (tx: Db, now: Date) => Promise<Done>,
): Promise<Done> {
  const done = await db.transaction(async (tx) => {
    await tx.write(LOCK);
    return work(tx, now());
  });
  const { is, watch } = done;
  if (watch !== undefined) logger.info({ watchId: watch.id, channel: watch.channel, by }, `watch ${is}`);
  return done;
}

/**
 * Gives the configured channel the configured watch. A new channel takes over the existing watch; its posted messages stay as they are,
 * and what goes on is told again where it can be seen. Null removes it. Watches made by people are left alone.
 */
export function configureWatch({ db, now }: Pick<WatchCtx, 'db' | 'now'>, channel: string | null): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.write(LOCK);
    const [watch] = await active(tx, eq(tables.watches.isConfigured, true));
    if (watch === undefined) {
      if (channel !== null) await addWatch(tx, channel, null, UNFILTERED, now());
    } else if (channel === null) {
      await tx.update(tables.watches).set({ endedAt: now(), endedBy: 'configuration' }).where(hasId(watch.id));
    } else if (watch.channel !== channel) {
      const moved = { channel, number: nextNumber(channel) };
      await tx.update(tables.watches).set(moved).where(hasId(watch.id));
      const isPosted = and(eq(tables.messages.watchId, watch.id), eq(tables.messages.state, 'posted'));
      await tx.update(tables.messages).set({ state: 'gone' }).where(isPosted);
    }
  });
}

/** Keeps watches on workflows that were renamed. */
export async function keepOnRenamed(tx: Db, environment: string, renamed: readonly RenamedWorkflow[]): Promise<void> {
  if (renamed.length === 0) return;
  for (const { id, settings } of await active(tx).for('update')) {
    const filter = followRenamed(settings.filter, environment, renamed);
    if (filter === null) continue;
    const changed = { settings: { ...settings, filter }, changedBy: null };
    await tx.update(tables.watches).set(changed).where(hasId(id));
  }
}

async function addWatch(tx: Db, channel: string, createdBy: string | null, settings: WatchSettings, now: Date) {
  const made = { channel, number: nextNumber(channel), createdAt: now, createdBy, isConfigured: createdBy === null };
  const told = { settings, tellsFrom: now, changesTo: settings.hasChanges ? CHANGES_SEEN : null };
  const [watch] = await tx
    .insert(tables.watches)
    .values({ ...made, ...told })
    .returning();
  if (watch === undefined) throw new Error('a watch was not made');
  return watch;
}

/** Anyone who makes or changes one at the same time waits, and so do replicas that start at once. */
const LOCK = 'LOCK TABLE watches IN SHARE ROW EXCLUSIVE MODE';

/** All changes until now count as seen, in each environment: a watch that begins to show changes shows those from then on. */
const CHANGES_SEEN = sql`(SELECT jsonb_build_object('', coalesce(max(id), 0)) FROM changes)`;

/** One that has ended keeps its own for as long as it is stored. */
function nextNumber(channel: string) {
  return sql`(SELECT coalesce(max(number), 0) + 1 FROM watches WHERE channel = ${channel})`;
}
