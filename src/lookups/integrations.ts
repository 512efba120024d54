import { environmentIdOfNewestEvent } from '../changes/integrations.ts';
import { isAmong } from '../lib/fold.ts';
import { CHANNELS } from '../service/channels.ts';
import { type Integration, serviceEnvironmentIdIn } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';

export interface IntegrationsFound {
  /** Those that match the filter. */
  items: readonly Integration[];
  /** False: the items may be other environments', too. */
  isEnvironmentKnown: boolean;
  /** Channels without an active integration, whatever the filter; none unless all integrations are known. */
  inactiveChannels: readonly string[];
  unreadable: number;
}

export async function listIntegrations(
  service: NotificationService,
  filter: { channels: readonly string[]; providers: readonly string[] },
): Promise<IntegrationsFound> {
  const [{ items: listed, unreadable }, named] = await Promise.all([
    service.listIntegrations(PERSON),
    environmentIdOfNewestEvent(service, PERSON),
  ]);
  const environmentId = serviceEnvironmentIdIn(listed, named);
  const here = inOrder(listed.filter((item) => environmentId === null || item.serviceEnvironmentId === environmentId));
  const isEnvironmentKnown = environmentId !== null;
  const items = here.filter(
    ({ channel, provider }) => isAmong([channel], filter.channels) && isAmong([provider], filter.providers),
  );
  const inactiveChannels = isEnvironmentKnown && unreadable.length === 0 ? inactiveIn(here) : [];
  return { items, isEnvironmentKnown, inactiveChannels, unreadable: unreadable.length };
}

function inactiveIn(integrations: readonly Integration[]): string[] {
  const active = new Set(integrations.filter(isSending).map(({ channel }) => channel));
  const channels = new Set(integrations.map(({ channel }) => channel));
  return [...channels].filter((channel) => !active.has(channel));
}

/** In the order of channels in the contract; of a channel, those first that send. */
export function inOrder(integrations: readonly Integration[]): Integration[] {
  const sortKeyOf = ({ channel, deleted, active, primary, name, identifier }: Integration) => {
    const rank = CHANNELS.indexOf(channel);
    const state = [deleted, !active, !primary].map(Number);
    return [rank === -1 ? CHANNELS.length : rank, channel, ...state, name, identifier].join('\n');
  };
  return integrations.toSorted((a, b) => sortKeyOf(a).localeCompare(sortKeyOf(b)));
}

export const isSending = ({ active, deleted }: Integration): boolean => active && !deleted;
