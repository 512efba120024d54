import { namedByEvent } from '../changes/integrations.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import { openIncidents } from '../incidents/lists.ts';
import type { Ctx } from '../lib/ctx.ts';
import type { Environment } from '../lib/environment.ts';
import { isAmong } from '../lib/fold.ts';
import { withoutStore } from '../lib/store-away.ts';
import { CHANNELS } from '../service/channels.ts';
import { type Integration, serviceEnvironmentIdIn } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';

export interface IntegrationsFound {
  items: readonly Integration[];
  /** The most important first. */
  incidents: readonly IncidentNow[];
  isEnvironmentKnown: boolean;
  inactiveChannels: readonly string[];
  unreadable: number;
}

const CHANNEL_ORDER: readonly string[] = CHANNELS;

/** By channel, then what sends first, the primary before. */
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

const MOST_INCIDENTS = 50;

interface ListIntegrationsCtx extends Ctx {
  environment: Environment;
  service: NotificationService;
}

export async function listIntegrations(
  { environment, service, db, logger, now }: ListIntegrationsCtx,
  filter: { channels: readonly string[]; providers: readonly string[] },
): Promise<IntegrationsFound> {
  const none = { items: [], more: 0 };
  const [{ items: listed, unreadable }, named, open] = await Promise.all([
    service.listIntegrations(PERSON),
    namedByEvent(service, PERSON),
    withoutStore(openIncidents(db, [environment.name], MOST_INCIDENTS, now()), none, logger, 'open incidents'),
  ]);
  const ownId = serviceEnvironmentIdIn(listed, named);
  const here = inOrder(listed.filter((item) => ownId === null || item.serviceEnvironmentId === ownId));
  const isKnown = ownId !== null && unreadable.length === 0;
  const isActive = (channel: string) => here.some((item) => item.channel === channel && isSending(item));
  const channels = isKnown ? [...new Set(here.map(({ channel }) => channel))] : [];
  const items = here.filter(
    ({ channel, provider }) => isAmong([channel], filter.channels) && isAmong([provider], filter.providers),
  );
  const isListed = ({ channel, provider }: IncidentNow) =>
    items.some((item) => isSending(item) && channel === item.channel && provider === item.provider);
  return {
    items,
    incidents: open.items.filter(isListed),
    isEnvironmentKnown: ownId !== null,
    inactiveChannels: channels.filter((channel) => !isActive(channel)),
    unreadable: unreadable.length,
  };
}
