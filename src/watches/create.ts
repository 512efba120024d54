import { InputError } from '../lib/errors.ts';
import { EXAMPLES, type FilterMap } from '../lib/input/filters.ts';
import { EVENTS_LOOKED_AT, parseAddresses } from '../lib/input/typed-values.ts';
import { maskEmail } from '../lib/text/mask.ts';
import type { Channels, Sharing, Workspace } from '../lib/workspace.ts';
import { type EventPages, subscribersWith } from '../lookups/subscribers.ts';
import { type UnseenWorkflow, unseenWorkflows } from '../lookups/unseen-workflows.ts';
import { timeZoneOf } from './channel-settings.ts';
import { parseWatchSettings, type SettingsDefaults } from './parse-settings.ts';
import type { Watch, WatchSettings } from './settings.ts';
import { makeWatch, type ThereAlready, type WatchCtx } from './watches.ts';

export interface CreateCtx extends WatchCtx, Pick<SettingsDefaults, 'environments'> {
  readonly serviceOf: (environment: string) => EventPages;
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
  /** Where the time zone in the filters comes from, if the person was asked to confirm the watch; null: they named it, if there is one. */
  readonly zoneFrom: ZoneSource | null;
}

/** Where a watch's time zone comes from: the command, the channel's earlier setting, the person's own, or nowhere. */
export const ZONE_SOURCES = ['said', 'channel', 'person', 'nowhere'] as const;
export type ZoneSource = (typeof ZONE_SOURCES)[number];

interface Read {
  readonly zoneFrom: ZoneSource;
  readonly addresses: readonly AddressFound[];
}

export interface Unconfirmed extends Read {
  readonly is: 'unconfirmed';
  readonly unknown: readonly UnseenWorkflow[];
  readonly sharing: Sharing;
  readonly settings: WatchSettings;
}

export type Creating =
  | ThereAlready
  | Unconfirmed
  | (Read & { readonly is: 'made'; readonly watch: Watch })
  | { readonly is: 'not-in-channel' };

/** Throws an `InputError` for settings, an address without a subscriber, or too many watches, and a `ServiceError`. */
export async function createWatch(ctx: CreateCtx, wanted: WantedWatch): Promise<Creating> {
  const { environments, workspace } = ctx;
  const { channel, by, usualEnvironments } = wanted;
  const { canPost, sharing } = await lookAt(ctx, channel);
  if (!canPost) return { is: 'not-in-channel' };
  const filters = await withMention(wanted.filters, by, workspace);
  const { timeZone, zoneFrom } = await usualZone(ctx, wanted);
  const { settings, addresses } = await settingsTyped(ctx, filters, { environments, usualEnvironments, timeZone });
  if (!wanted.isConfirmed) {
    const unknown = await unseenWorkflows(ctx.db, settings.filter.workflows, environments);
    if (unknown.length > 0 || sharing !== 'none')
      return { is: 'unconfirmed', unknown, sharing, settings, zoneFrom, addresses };
  }
  const making = await makeWatch(ctx, { channel, by, settings, zone: zoneFrom === 'said' ? 'said' : 'unsaid' });
  return making.is === 'made' ? { ...making, zoneFrom, addresses } : making;
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
async function withMention(
  filters: FilterMap,
  by: string,
  workspace: Pick<Workspace, 'userGroups'>,
): Promise<FilterMap> {
  const [typed, ...others] = filters.mention ?? [];
  if (typed === undefined || others.length > 0) return filters;
  const name = typed.replace(/^@/, '').toLowerCase();
  if (name === 'me') return { ...filters, mention: [`<@${by}>`] };
  if (!typed.startsWith('@')) return filters;
  const userGroup = (await workspace.userGroups()).find(({ handle }) => handle.toLowerCase() === name);
  return userGroup === undefined ? filters : { ...filters, mention: [`<!subteam^${userGroup.id}>`] };
}

type UsualZone = Promise<{ readonly timeZone: string; readonly zoneFrom: ZoneSource }>;

/** The command takes precedence, then the channel's default, then the person's time zone, then UTC. */
async function usualZone(ctx: CreateCtx, { channel, by, filters, zoneFrom }: WantedWatch): UsualZone {
  if (filters.tz !== undefined) return { timeZone: 'UTC', zoneFrom: zoneFrom ?? 'said' };
  const usedHere = await timeZoneOf(ctx.db, channel);
  if (usedHere !== null) return { timeZone: usedHere, zoneFrom: 'channel' };
  const timeZone = await ctx.workspace.timeZoneOf(by);
  return timeZone === null ? { timeZone: 'UTC', zoneFrom: 'nowhere' } : { timeZone, zoneFrom: 'person' };
}

export interface AddressFound {
  readonly email: string;
  readonly subscriberIds: readonly string[];
}

/** A watch has no addresses: they are replaced by their subscribers of now. Throws an `InputError`, or `ServiceError`. */
export async function settingsTyped(
  { serviceOf, now }: Pick<CreateCtx, 'serviceOf' | 'now'>,
  { email = [], ...typed }: FilterMap,
  defaults: SettingsDefaults,
): Promise<{ readonly settings: WatchSettings; readonly addresses: readonly AddressFound[] }> {
  const settings = parseWatchSettings(typed, defaults);
  const emails = parseAddresses(email);
  if (emails.length === 0) return { settings, addresses: [] };
  const named = settings.filter.environments;
  const environments = named.length > 0 ? named : defaults.environments.map(({ name }) => name);
  const lookUp = async (address: string) => {
    const found = await Promise.all(environments.map((name) => subscribersWith(address, serviceOf(name), now())));
    return { email: address, subscriberIds: [...new Set(found.flat())] };
  };
  const addresses = await Promise.all(emails.map(lookUp));
  const missing = addresses.filter(({ subscriberIds }) => subscriberIds.length === 0);
  if (missing.length > 0) {
    const masked = missing.map((address) => maskEmail(address.email)).join(', ');
    const message = `No subscriber of ${masked} found in the newest ${EVENTS_LOOKED_AT} events of ${environments.join(', ')}. Use subscriber: with the ID.`;
    throw new InputError('email', message, EXAMPLES.subscriber);
  }
  const subscriber = [...(typed.subscriber ?? []), ...addresses.flatMap(({ subscriberIds }) => subscriberIds)];
  return { settings: parseWatchSettings({ ...typed, subscriber }, defaults), addresses };
}
