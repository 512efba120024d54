import type { Sharing } from '../../domain/access/shared-channel.ts';
import type { Environment } from '../../domain/environment.ts';
import type { FilterMap } from '../../domain/input/filters.ts';
import type { Logger } from '../../domain/logger.ts';
import type { AddressFound } from '../../domain/watches/address-found.ts';
import { requireRoom, type Watch, type WatchSettings } from '../../domain/watches/watch.ts';
import { isSameWatch, type ZoneNaming } from '../../domain/watches/watch-settings.ts';
import type { Channels } from '../ports/channels.ts';
import { type Workspace, zoneOfPerson } from '../ports/workspace.ts';
import { type UnseenWorkflow, unseenWorkflows, type WorkflowNamesStore } from '../unseen-workflows.ts';
import { type AddressParts, watchSettingsOf } from './watch-settings-of.ts';

export interface NewWatch {
  readonly channel: string;
  readonly createdBy: string;
  readonly settings: WatchSettings;
  readonly zone?: ZoneNaming;
}

export interface MakeWatchStore extends WorkflowNamesStore {
  watches(channel: string): Promise<Watch[]>;
  /**
   * Makes a watch, alerted to what is recorded after that. If the channel has an identical one it is returned, so that a double click makes
   * only one. With `zone: 'unsaid'`, one in another time zone counts as identical; a zone that was named becomes the channel's default.
   * Throws an `InputError` if the channel has `MOST_WATCHES`.
   */
  makeWatch(watch: NewWatch, now: Date): Promise<Watch>;
  timeZoneOf(channel: string): Promise<string | null>;
}

export interface MakeWatchParts extends AddressParts {
  readonly store: MakeWatchStore;
  readonly workspace: Workspace;
  readonly channels: Pick<Channels, 'ask'>;
  readonly environments: readonly Environment[];
  readonly logger: Logger;
  readonly now: () => Date;
}

export interface WantedWatch {
  readonly channel: string;
  readonly by: string;
  readonly filters: FilterMap;
  /** The names of the default environments if `env:` isn't given; empty: all. */
  readonly usualEnvironments: readonly string[];
  /** Makes the watch even if a workflow in its filter has never been seen, or people of another organization may read it. */
  readonly isConfirmed: boolean;
  /** Where the time zone in the filters comes from, if the person was asked to confirm the watch; null: they named it, if there is one. */
  readonly zoneFrom: ZoneSource | null;
}

/** Where a watch's time zone comes from: the command, the channel's earlier setting, the person's own, or nowhere. */
export type ZoneSource = 'said' | 'channel' | 'person' | 'nowhere';

export type Making =
  | {
      readonly is: 'made';
      readonly watch: Watch;
      readonly zoneFrom: ZoneSource;
      readonly addresses: readonly AddressFound[];
    }
  | { readonly is: 'there-already'; readonly number: number }
  | {
      readonly is: 'unconfirmed';
      readonly unknown: readonly UnseenWorkflow[];
      readonly sharing: Sharing;
      readonly settings: WatchSettings;
      readonly zoneFrom: ZoneSource;
      readonly addresses: readonly AddressFound[];
    }
  | { readonly is: 'not-in-channel' };

/** Throws an `InputError` for settings, an address without a subscriber, or too many watches, and a `ServiceError`. */
export async function makeWatch(wanted: WantedWatch, parts: MakeWatchParts): Promise<Making> {
  const { store, workspace, environments, now } = parts;
  const { channel, by } = wanted;
  const { canPost, sharing } = await lookAt(channel, parts);
  if (!canPost) return { is: 'not-in-channel' };
  const filters = await withMention(wanted.filters, by, workspace);
  const zone = await usualZone(wanted, parts);
  const { usualEnvironments } = wanted;
  const defaults = { environments, usualEnvironments, timeZone: zone.timeZone };
  const { settings, addresses } = await watchSettingsOf(filters, defaults, parts);
  const others = await store.watches(channel);
  const zoneSaid = zone.from === 'said' ? 'said' : 'unsaid';
  const same = others.find((other) => isSameWatch(other.settings, settings, zoneSaid));
  if (same !== undefined) return { is: 'there-already', number: same.number };
  requireRoom(others);
  if (!wanted.isConfirmed) {
    const unknown = await unseenWorkflows(settings.filter.workflows, environments, store);
    if (unknown.length > 0 || sharing !== 'none') {
      return { is: 'unconfirmed', unknown, sharing, settings, zoneFrom: zone.from, addresses };
    }
  }
  const at = now();
  const watch = await store.makeWatch({ channel, createdBy: by, settings, zone: zoneSaid }, at);
  if (watch.createdBy !== by || watch.createdAt.getTime() !== at.getTime()) {
    return { is: 'there-already', number: watch.number };
  }
  return { is: 'made', watch, zoneFrom: zone.from, addresses };
}

/** If Slack doesn't say, Notif tries: a watch that can't post ends by itself. Nobody else can read a direct message (D…). */
async function lookAt(
  channel: string,
  { channels, logger }: MakeWatchParts,
): Promise<{ readonly canPost: boolean; readonly sharing: Sharing }> {
  try {
    const now = await channels.ask(channel);
    if (now === null) return { canPost: false, sharing: 'unknown' };
    return { canPost: now.isMember && !now.isArchived, sharing: now.sharing };
  } catch (error) {
    logger.warn({ err: error, channel }, "Slack didn't say whether Notif is in a channel");
    return { canPost: true, sharing: channel.startsWith('D') ? 'none' : 'unknown' };
  }
}

/** Resolves a mention to a reference with an ID: `@handle` if Slack didn't make it one, `me` for the person who asks. */
async function withMention(filters: FilterMap, by: string, workspace: Workspace): Promise<FilterMap> {
  const [typed, ...others] = filters.mention ?? [];
  if (typed === undefined || others.length > 0) return filters;
  const name = typed.replace(/^@/, '').toLowerCase();
  if (name === 'me') return { ...filters, mention: [`<@${by}>`] };
  if (!typed.startsWith('@')) return filters;
  const group = (await workspace.userGroups()).find(({ handle }) => handle.toLowerCase() === name);
  return group === undefined ? filters : { ...filters, mention: [`<!subteam^${group.id}>`] };
}

/** The command takes precedence, then the channel's default, then the person's time zone, then UTC. */
async function usualZone(
  { channel, by, filters, zoneFrom }: WantedWatch,
  { store, workspace, logger }: MakeWatchParts,
): Promise<{ readonly timeZone: string; readonly from: ZoneSource }> {
  if (filters.tz !== undefined) return { timeZone: 'UTC', from: zoneFrom ?? 'said' };
  const ofChannel = await store.timeZoneOf(channel);
  if (ofChannel !== null) return { timeZone: ofChannel, from: 'channel' };
  const timeZone = await zoneOfPerson(by, { workspace, logger });
  return timeZone === null ? { timeZone: 'UTC', from: 'nowhere' } : { timeZone, from: 'person' };
}
