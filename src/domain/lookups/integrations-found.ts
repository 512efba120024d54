import { CHANNELS } from '../delivery-channels.ts';
import type { Environment } from '../environment.ts';
import { isAmong } from '../fold.ts';
import type { Integration } from '../service/integration.ts';
import type { ProviderNow } from './provider-now.ts';

export interface IntegrationFilter {
  readonly channels: readonly string[];
  readonly providers: readonly string[];
}

export const ALL_INTEGRATIONS: IntegrationFilter = { channels: [], providers: [] };

export interface IntegrationsFound {
  readonly environment: Environment;
  readonly filter: IntegrationFilter;
  /** Those of the environment; of the whole organization if it isn't known which they are. In display order. */
  readonly items: readonly FoundIntegration[];
  readonly isOwnKnown: boolean;
  /** Channels for which the environment has integrations, but none that could be read is active. */
  readonly inactiveChannels: readonly string[];
  readonly channels: readonly string[];
  readonly unreadable: number;
}

export interface FoundIntegration extends Integration {
  /** Recent failures of its channel and provider; null if there were none, or it isn't known to be the environment's. */
  readonly lately: ProviderNow | null;
}

export function takes({ channels, providers }: IntegrationFilter, { channel, provider }: Integration): boolean {
  return isAmong([channel], channels) && isAmong([provider], providers);
}

/** Sorts by channel, then active before inactive, the primary one first. */
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

export function inactiveChannels(integrations: readonly Integration[]): string[] {
  const sending = new Set(integrations.filter(isSending).map(({ channel }) => channel));
  return channelsOf(integrations).filter((channel) => !sending.has(channel));
}

export function channelsOf(integrations: readonly Integration[]): string[] {
  return [...new Set(integrations.map(({ channel }) => channel))];
}

export function isSending({ active, deleted }: Pick<Integration, 'active' | 'deleted'>): boolean {
  return active && !deleted;
}
