import type { UnseenName } from '../incidents/unseen-names.ts';
import { nearest } from '../lib/closed-list.ts';
import { FilterError, type FilterMap } from '../lib/input/filters.ts';
import { type Channels, isDirectMessage, type UserGroup, type Workspace } from '../lib/workspace.ts';
import type { EmailMatch } from '../service/subscribers-by-contact.ts';
import type { Ctx } from '../store/db.ts';
import { neverSeen } from './never-seen.ts';
import { type ResolveCtx, resolveSettings } from './resolve-settings.ts';
import { isOff } from './setting-values.ts';
import type { Watch, WatchSettings } from './settings.ts';
import { makeWatch, watchesIn } from './watches.ts';

export interface CreateCtx extends Ctx, ResolveCtx {
  workspace: Pick<Workspace, 'timeZoneOf' | 'userGroups'>;
  channels: Pick<Channels, 'ask'>;
}

export interface WantedWatch {
  channel: string;
  actor: string;
  filters: FilterMap;
  /** Whether the person was told what is unusual about it. */
  isConfirmed: boolean;
}

/** A watch that is made once a person has seen what is unusual about it. */
export interface Unconfirmed {
  is: 'unconfirmed';
  /** Names of its filters that nobody has seen yet. */
  unknown: readonly UnseenName[];
  /** Whether people of other organizations read the channel. */
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

const GROUP_MARKUP = /^<!subteam\^(S[A-Z0-9]+)/;

/** Turns `me` and the handle of a user group, which are plain text, into what Slack makes of a choice from its list. */
async function withMention(ctx: CreateCtx, filters: FilterMap, actor: string): Promise<FilterMap> {
  const [typed, ...others] = filters.mention ?? [];
  if (typed === undefined || isOff(typed)) return filters;
  const markup = typed.startsWith('<') ? await checkedMarkup(ctx, typed) : await markupOf(ctx, typed, actor);
  return { ...filters, mention: [markup, ...others] };
}

/** Where Slack can't be asked, a group is taken: doctor finds it later. */
async function checkedMarkup({ workspace, logger }: CreateCtx, markup: string): Promise<string> {
  const [, groupId] = GROUP_MARKUP.exec(markup) ?? [];
  if (groupId === undefined) return markup;
  const groups = await workspace.userGroups().catch((err: unknown) => {
    logger.warn({ err, groupId }, "Slack didn't say whether a user group is in use");
    return null;
  });
  if (groups === null || groups.some(({ id }) => id === groupId)) return markup;
  throw new FilterError('mention', 'names a user group that no longer exists or is disabled.', exampleAmong(groups));
}

async function markupOf({ workspace }: CreateCtx, typed: string, actor: string): Promise<string> {
  const handle = typed.replace(/^@/, '').toLowerCase();
  if (handle === 'me') return `<@${actor}>`;
  const groups = await workspace.userGroups();
  const group = groups.find((each) => each.handle.toLowerCase() === handle);
  if (group !== undefined) return `<!subteam^${group.id}>`;
  const similar = nearest(
    handle,
    groups.map((each) => each.handle),
  );
  const hint = similar === null ? 'For a person, choose the name from the list that Slack shows after @.' : '';
  const question = similar === null ? '' : `Did you mean @${similar}?`;
  throw new FilterError('mention', `there is no user group @${handle}. ${question}${hint}`, exampleAmong(groups));
}

function exampleAmong([first]: readonly UserGroup[]): string {
  return first === undefined ? 'mention:me' : `mention:@${first.handle}`;
}
