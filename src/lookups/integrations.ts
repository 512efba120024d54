import { namedByEvent } from '../changes/integrations.ts';
import { isAmong } from '../lib/fold.ts';
import { CHANNELS } from '../service/channels.ts';
import { type Integration, serviceEnvironmentIdIn } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';

export type IntegrationsFound = Awaited<ReturnType<typeof listIntegrations>>;

const CHANNEL_ORDER: readonly string[] = CHANNELS;

export function inOrder(integrations: readonly Integration[]): Integration[] {
  const placeOf = ({ channel, deleted, active, primary, name, identifier }: Integration) => {
    const rank = CHANNEL_ORDER.indexOf(channel);
    const state = [deleted, !active, !primary].map(Number);
    return [rank === -1 ? CHANNEL_ORDER.length : rank, channel, ...state, name, identifier].join('\n');
  };
  return integrations.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)));
}

export function isSending({ active, deleted }: Integration): boolean {
  return active && !deleted;
}

export async function listIntegrations(
  service: NotificationService,
  filter: { channels: readonly string[]; providers: readonly string[] },
) {
  const [{ items: listed, unreadable }, named] = await Promise.all([
    service.listIntegrations(PERSON),
    namedByEvent(service, PERSON),
  ]);
  const environmentId = serviceEnvironmentIdIn(listed, named);
  const here = inOrder(listed.filter((item) => environmentId === null || item.serviceEnvironmentId === environmentId));
  const isKnown = environmentId !== null && unreadable.length === 0;
  const isActive = (channel: string) => here.some((item) => item.channel === channel && isSending(item));
  const channels = isKnown ? [...new Set(here.map(({ channel }) => channel))] : [];
  const items = here.filter(
    ({ channel, provider }) => isAmong([channel], filter.channels) && isAmong([provider], filter.providers),
  );
  return {
    items,
    isEnvironmentKnown: environmentId !== null,
    inactiveChannels: channels.filter((channel) => !isActive(channel)),
    unreadable: unreadable.length,
  };
}
