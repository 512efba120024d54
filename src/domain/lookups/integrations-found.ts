import { CHANNELS } from '../delivery-channels.ts';
import type { Environment } from '../environment.ts';
import { ALL_FAILURES } from '../failures/failure-filter.ts';
import { type UnseenName, unseenNames } from '../failures/unseen-names.ts';
import { isAmong } from '../fold.ts';
import type { Integration } from '../service/integration.ts';
import type { Page } from '../service/query.ts';
import type { ProviderNow } from './provider-now.ts';

export interface IntegrationFilter {
  readonly channels: readonly string[];
  readonly providers: readonly string[];
}

export const ALL_INTEGRATIONS: IntegrationFilter = { channels: [], providers: [] };

export interface IntegrationsFound {
  readonly environment: Environment;
  readonly filter: IntegrationFilter;
  /** Those of the environment and, if requested or not distinguishable, of the others too; in display order. */
  readonly items: readonly FoundIntegration[];
  readonly isOwnKnown: boolean;
  readonly elsewhere: readonly { readonly home: IntegrationEnvironment; readonly count: number }[];
  /** Channels for which the environment has integrations, but none that could be read is active. */
  readonly inactiveChannels: readonly string[];
  readonly channels: readonly string[];
  readonly unreadable: number;
  /** Names in the filter that neither the contract nor an integration has. */
  readonly unseen: readonly UnseenName[];
}

export interface FoundIntegration extends Integration {
  readonly home: IntegrationEnvironment;
  /** Recent failures of its channel and provider; null if there were none, or it isn't known to be the environment's. */
  readonly lately: ProviderNow | null;
}

/** An environment of the organization: its label if it is configured here, else the service's own ID. */
export type IntegrationEnvironment =
  | { readonly is: 'known'; readonly label: string }
  | { readonly is: 'unknown'; readonly serviceEnvironmentId: string };

export function takes({ channels, providers }: IntegrationFilter, { channel, provider }: Integration): boolean {
  return isAmong([channel], channels) && isAmong([provider], providers);
}

/** Returns the filter's names that neither the contract nor an integration has; only typos if some integrations couldn't be read. */
export function unseenIn(filter: IntegrationFilter, { items, unreadable }: Page<Integration>): readonly UnseenName[] {
  const seen = { channels: items.map(({ channel }) => channel), providers: items.map(({ provider }) => provider) };
  const unseen = unseenNames({ ...ALL_FAILURES, ...filter }, seen);
  return unreadable.length === 0 ? unseen : unseen.filter(({ meant }) => meant !== null);
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
