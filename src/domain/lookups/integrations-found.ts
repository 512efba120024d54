import { CHANNELS } from '../delivery-channels.ts';
import type { Environment } from '../environment.ts';
import { isAmong } from '../fold.ts';
import type { Integration } from '../service/integration.ts';
import type { ProviderNow } from './provider-now.ts';

/** Which integrations somebody asks for, by channel and provider id; an empty list takes all. */
export interface IntegrationFilter {
  readonly channels: readonly string[];
  readonly providers: readonly string[];
}

export const ALL_INTEGRATIONS: IntegrationFilter = { channels: [], providers: [] };

/** The integrations of an organization, seen from one of its environments. */
export interface IntegrationsFound {
  readonly environment: Environment;
  readonly filter: IntegrationFilter;
  /** Those of the environment, and where that was asked for, or can't be determined, of the others too; in the order in which they are shown. */
  readonly items: readonly FoundIntegration[];
  /** Whether it is known which of them are the environment's. */
  readonly isOwnKnown: boolean;
  /** How many of those that the filter takes each other environment has. */
  readonly elsewhere: readonly { readonly home: Home; readonly count: number }[];
  /** The environment has integrations of these channels, and none of them is active. */
  readonly inactiveChannels: readonly string[];
  /** The channels that the environment has integrations of, whatever the filter takes. */
  readonly channels: readonly string[];
  readonly unreadable: number;
}

export interface FoundIntegration extends Integration {
  readonly home: Home;
  /** What failed by its channel and provider lately; null where nothing did, or it isn't known to be the environment's. */
  readonly lately: ProviderNow | null;
}

/** An environment of the organization: by its label where it is configured here, else the service's own id. */
export type Home =
  | { readonly is: 'known'; readonly label: string }
  | { readonly is: 'unknown'; readonly serviceEnvironmentId: string };

/** Whether a filter takes an integration. */
export function takes({ channels, providers }: IntegrationFilter, { channel, provider }: Integration): boolean {
  return isAmong([channel], channels) && isAmong([provider], providers);
}

/** By channel, then what sends before what doesn't, the primary one first. */
export function inOrder(integrations: readonly Integration[]): Integration[] {
  return integrations.toSorted(
    (a, b) =>
      channelRank(a) - channelRank(b) ||
      a.channel.localeCompare(b.channel) ||
      rank(a) - rank(b) ||
      a.name.localeCompare(b.name) ||
      a.identifier.localeCompare(b.identifier),
  );
}

const CHANNEL_ORDER: readonly string[] = CHANNELS;

function channelRank({ channel }: Integration): number {
  const rank = CHANNEL_ORDER.indexOf(channel);
  return rank === -1 ? CHANNEL_ORDER.length : rank;
}

function rank({ deleted, active, primary }: Integration): number {
  return (deleted ? 4 : 0) + (active ? 0 : 2) + (primary ? 0 : 1);
}

/** The channels of some integrations by which nothing is sent. */
export function inactiveChannels(integrations: readonly Integration[]): string[] {
  const sending = new Set(integrations.filter(isSending).map(({ channel }) => channel));
  return channelsOf(integrations).filter((channel) => !sending.has(channel));
}

/** The channels of some integrations, each once. */
export function channelsOf(integrations: readonly Integration[]): string[] {
  return [...new Set(integrations.map(({ channel }) => channel))];
}

export function isSending({ active, deleted }: Pick<Integration, 'active' | 'deleted'>): boolean {
  return active && !deleted;
}
