import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { type Act, record } from '../audit/audit.ts';
import type { WatchChange } from '../audit/change.ts';
import { unseenNames } from '../coverage/names.ts';
import { environments } from '../coverage/tables.ts';
import { InputError } from '../lib/errors.ts';
import { isAmong } from '../lib/fold.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { storableText } from '../lib/text/shown-id.ts';
import { type Channels, isDirectMessage, type Workspace } from '../lib/workspace.ts';
import { leavePosted, unpostedIncidents } from '../outbox/messages.ts';
import { messages } from '../outbox/tables.ts';
import { NEW_ID } from '../store/columns.ts';
import { Count, type Ctx, type Db, onlyRow } from '../store/db.ts';
import { describeWatch, isSameWatch, type ResolveCtx, resolveSettings } from './parse-settings.ts';
import { isAbout, notifiesFor, USUAL_SETTINGS, type Watch, type WatchFilter, type WatchSettings } from './settings.ts';
import { watches as table } from './tables.ts';

const hasId = (watchId: string) => eq(table.id, watchId);

function active(db: Db, which?: SQL) {
  const { createdAt, endedAt, number } = table;
  const isActive = and(isNull(endedAt), which);
  return db.select().from(table).where(isActive).orderBy(createdAt, number);
}

export async function watchesIn(db: Db, channel: string | null = null) {
  return active(db, channel === null ? undefined : eq(table.channel, channel));
}

export async function watchWithId(db: Db, watchId: string) {
  return (await active(db, hasId(watchId)))[0] ?? null;
}

export async function existingWatch(db: Db, watchId: string) {
  const watch = await watchWithId(db, watchId);
  if (watch !== null) return watch;
  throw new InputError('removed', 'This watch was removed.', null, "This channel's watches: /notif watches.");
}

export async function lockedWatch(tx: Db, watchId: string) {
  return (await active(tx, hasId(watchId)).for('no key update'))[0] ?? null;
}

export async function lockedWithEnded(tx: Db, watchId: string) {
  const [watch] = await tx.select().from(table).where(hasId(watchId)).for('no key update');
  return watch ?? null;
}

export async function updateWatch(tx: Db, watchId: string, values: PgUpdateSetSource<typeof table>): Promise<void> {
  await tx.update(table).set(values).where(hasId(watchId));
}

export const clearRefusal = (tx: Db, watchId: string): Promise<number> =>
  tx.write('UPDATE watches SET refused_at = NULL WHERE id = $1 AND refused_at IS NOT NULL', [watchId]);

export function recordOnWatch(tx: Db, { channel, settings }: Watch, act: Act, change: WatchChange): Promise<void> {
  const watch = storableText(describeWatch(settings));
  return record(tx, act, { channel, environment: null, change: { ...change, watch } });
}

export async function watchOfMessage(db: Db, messageId: string) {
  const { id, watchId } = messages;
  const sender = db.select({ watchId }).from(messages).where(eq(id, messageId));
  return (await active(db, inArray(table.id, sender)))[0] ?? null;
}

export function watchNumberIn(words: readonly string[], command: string) {
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

export type Unconfirmed = Extract<Awaited<ReturnType<typeof createWatch>>, { is: 'unconfirmed' }>;

export async function createWatch(ctx: CreateCtx, wanted: WantedWatch) {
  const { db, environments, workspace } = ctx;
  const { channel, actor } = wanted;
  const { canPost, isShared } = await channelAccess(ctx, channel);
  if (!canPost) return { is: 'not-in-channel' as const };
  const newest = (await watchesIn(db, channel)).findLast(({ createdBy }) => createdBy !== null);
  const timeZone = newest?.settings.timeZone ?? (await workspace.timeZoneOf(actor)) ?? 'UTC';
  const typed = await withMention(wanted, workspace);
  const { settings, addresses } = await resolveSettings(ctx, typed, timeZone);
  if (!wanted.isConfirmed) {
    const unknown = await unseenNames(db, settings.filter, environments);
    if (unknown.length > 0 || isShared) return { is: 'unconfirmed' as const, unknown, isShared, settings, addresses };
  }
  return { is: 'made' as const, watch: await makeWatch(ctx, { channel, actor, settings }), addresses };
}

/** If Slack doesn't say, Notif tries to post. */
async function channelAccess({ channels, logger }: CreateCtx, channel: string) {
  try {
    const now = await channels.ask(channel);
    return { canPost: now?.isMember === true && !now.isArchived, isShared: now?.isShared ?? true };
  } catch (error) {
    logger.warn({ err: error, channel }, "Slack didn't say whether Notif is in a channel");
    return { canPost: true, isShared: !isDirectMessage(channel) };
  }
}

async function withMention({ filters, actor }: WantedWatch, workspace: CreateCtx['workspace']) {
  const [typed = '', ...others] = filters.mention ?? [];
  const name = typed.replace(/^@/, '').toLowerCase();
  if (name === 'me') return { ...filters, mention: [`<@${actor}>`, ...others] };
  if (!typed.startsWith('@')) return filters;
  const userGroup = (await workspace.userGroups()).find(({ handle }) => handle.toLowerCase() === name);
  return userGroup === undefined ? filters : { ...filters, mention: [`<!subteam^${userGroup.id}>`, ...others] };
}

export function makeWatch(
  ctx: Ctx,
  { channel, actor, settings }: Pick<WantedWatch, 'channel' | 'actor'> & { settings: WatchSettings },
) {
  return change(ctx, async (tx, now) => {
    const others = await othersThan(settings, channel, tx);
    if (others.length >= MOST_WATCHES) {
      const message = `A channel has at most ${MOST_WATCHES} watches. Remove one first.`;
      throw new InputError('watch', message, '/notif watches');
    }
    const watch = await addWatch(tx, { channel, createdBy: actor, settings }, now);
    await recordOnWatch(tx, watch, { actor, now }, { action: 'watch-made' });
    return watch;
  });
}

async function othersThan(settings: WatchSettings, channel: string, tx: Db) {
  const others = await watchesIn(tx, channel);
  const same = others.find((watch) => isSameWatch(watch.settings, settings));
  if (same === undefined) return others;
  const what = `Watch ${same.number} of this channel has these settings already.`;
  throw new InputError('watch', what, null, 'Choose other settings, or edit that watch.');
}

export interface ChangeWatchCtx extends Ctx {
  pendingIds: (tx: Db, watch: Watch, filter: WatchFilter, now: Date) => Promise<readonly number[]>;
}

export function changeWatch(
  ctx: ChangeWatchCtx,
  watchId: string,
  { settings: wanted, actor }: { settings: WatchSettings | ((before: WatchSettings) => WatchSettings); actor: string },
): Promise<Watch | null> {
  return change(ctx, async (tx, now) => {
    const watch = await existingWatch(tx, watchId);
    const before = watch.settings;
    const settings = typeof wanted === 'function' ? wanted(before) : wanted;
    if (isSameWatch(before, settings)) return null;
    await othersThan(settings, watch.channel, tx);
    const changesTo = settings.hasChanges ? sql`coalesce(${table.changesTo}, ${CHANGES_SEEN})` : null;
    const summed = before.summaryAt === null && settings.summaryAt !== null ? { summedTo: now } : {};
    const changed = { ...watch, settings };
    await skipEarlier(ctx, tx, [watch, changed], now);
    await updateWatch(tx, watchId, { settings, changesTo, ...summed });
    await recordOnWatch(tx, changed, { actor, now }, { action: 'watch-changed' });
    return changed;
  });
}

const SeqRow = z.object({ seq: Count.nullable() });

/** A time alone would leave out what is being recorded. */
async function beginNow(tx: Db, now: Date) {
  const newest = onlyRow(await tx.rows(SeqRow, 'SELECT max(newest_seq) AS seq FROM incidents'));
  return { notifiesFrom: now, notifiesAfter: newest.seq ?? 0 };
}

/** Keeps only the pending of earlier incidents, for the watch and for others of its channel that relied on it. */
async function skipEarlier(ctx: ChangeWatchCtx, tx: Db, [watch, changed]: readonly [Watch, Watch | null], now: Date) {
  const begun = await beginNow(tx, now);
  const unposted = changed === null ? await unpostedIncidents(tx, watch.id) : [];
  for (const each of await watchesIn(tx, watch.channel)) {
    const after = each.id === watch.id ? changed : each;
    const isKept = changed !== null && (!notifiesFor(watch, each) || notifiesFor(changed, each));
    if (after === null || (after === each && isKept)) continue;
    const pending = await ctx.pendingIds(tx, each, after.settings.filter, now);
    await updateWatch(tx, each.id, { ...begun, held: [...unposted, ...pending] });
  }
}

export function endWatch(ctx: ChangeWatchCtx, watchId: string, actor: string) {
  return change(ctx, async (tx, now) => {
    const watch = await existingWatch(tx, watchId);
    if (watch.createdBy === null) {
      const what = 'This watch comes from NOTIF_DIGEST_CHANNEL: to remove it, unset that variable and restart Notif.';
      throw new InputError('watch', what, null, 'It can be changed and muted: /notif watches.');
    }
    await skipEarlier(ctx, tx, [watch, null], now);
    await updateWatch(tx, watchId, { endedAt: now });
    await recordOnWatch(tx, watch, { actor, now }, { action: 'watch-ended' });
    return watch;
  });
}

function change<Changed>({ db, now }: Ctx, work: (tx: Db, now: Date) => Promise<Changed>) {
  return db.transaction(async (tx) => {
    // Polls can't record meanwhile.
    await tx.select({ environment: environments.environment }).from(environments).for('share');
    await tx.write('LOCK TABLE watches IN SHARE ROW EXCLUSIVE MODE');
    return work(tx, now());
  });
}

/** A new channel is notified of open incidents again. */
export function configureWatch(ctx: ChangeWatchCtx, channel: string | null) {
  return change(ctx, async (tx, now) => {
    const [watch] = await active(tx, isNull(table.createdBy));
    if (watch !== undefined && watch.channel !== channel) await skipEarlier(ctx, tx, [watch, null], now);
    if (watch === undefined) {
      if (channel !== null) await addWatch(tx, { channel, createdBy: null, settings: USUAL_SETTINGS }, now);
    } else if (channel === null) {
      await updateWatch(tx, watch.id, { endedAt: now });
    } else if (watch.channel !== channel) {
      await updateWatch(tx, watch.id, { channel, number: nextNumber(channel) });
      await leavePosted(tx, watch.id, { state: 'gone', subject: NEW_ID });
    }
  });
}

/** The old name stays beside the identifier: another workflow may have it. */
export async function keepOnRenamed(
  tx: Db,
  environment: string,
  renamed: readonly { identifier: string; name: string }[],
) {
  if (renamed.length === 0) return;
  for (const { id, settings } of await active(tx).for('update')) {
    const { filter } = settings;
    const isNamed = (name: string) => filter.workflows.length > 0 && isAmong([name], filter.workflows);
    const added = renamed.filter(({ identifier, name }) => isNamed(name) && !isNamed(identifier));
    if (added.length === 0 || !isAbout(filter, environment)) continue;
    const workflows = [...filter.workflows, ...added.map(({ identifier }) => identifier)];
    await updateWatch(tx, id, { settings: { ...settings, filter: { ...filter, workflows } } });
  }
}

async function addWatch(tx: Db, added: Pick<Watch, 'channel' | 'createdBy' | 'settings'>, now: Date) {
  const changesTo = added.settings.hasChanges ? CHANGES_SEEN : null;
  const row = { ...added, number: nextNumber(added.channel), createdAt: now, ...(await beginNow(tx, now)), changesTo };
  return onlyRow(await tx.insert(table).values(row).returning());
}

const CHANGES_SEEN = sql`(SELECT jsonb_build_object('', coalesce(max(id), 0)) FROM changes)`;

function nextNumber(channel: string) {
  return sql`(SELECT coalesce(max(number), 0) + 1 FROM watches WHERE channel = ${channel})`;
}
