import { namedByEvent } from '../changes/changes.ts';
import { withoutStore } from '../health/store-trouble.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import { openIncidents } from '../incidents/lists.ts';
import type { Ctx } from '../lib/ctx.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { isAmong } from '../lib/fold.ts';
import { type Integration, ownEnvironmentId } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { CHANNELS, PERSON } from '../service/query.ts';

export type IntegrationsFound = Awaited<ReturnType<typeof listIntegrations>>;

export interface FoundIntegration extends Integration {
  /** The most important first. */
  incidents: readonly IncidentNow[];
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
) {
  const unnamed = (err: unknown) => {
    if (!(err instanceof ServiceError)) throw err;
    logger.warn({ environment: environment.name, err }, 'integrations are listed without their environment');
    return null;
  };
  const none = { items: [], more: 0 };
  const [listed, named, open] = await Promise.all([
    service.listIntegrations(PERSON),
    namedByEvent(service, PERSON).catch(unnamed),
    withoutStore(openIncidents(db, [environment.name], MOST_INCIDENTS, now()), none, logger, 'open incidents'),
  ]);
  const ownId = ownEnvironmentId(listed.items, named);
  const items = inOrder(listed.items.filter((item) => ownId === null || item.serviceEnvironmentId === ownId));
  const channels = [...new Set(items.map(({ channel }) => channel))];
  const sending = ownId === null ? [] : items.filter(isSending);
  const incidentsOf = (item: Integration) => {
    const isThere = ({ tally: { kind } }: IncidentNow) =>
      isAmong([kind.channel], [item.channel]) && isAmong([kind.provider], [item.provider]);
    return sending.includes(item) ? open.items.filter(isThere) : [];
  };
  return {
    items: items
      .filter(({ channel, provider }) => isAmong([channel], filter.channels) && isAmong([provider], filter.providers))
      .map((item): FoundIntegration => ({ ...item, incidents: incidentsOf(item) })),
    isOwnKnown: ownId !== null,
    inactiveChannels: channels.filter((name) => ownId !== null && !sending.some(({ channel }) => channel === name)),
    channels,
    unreadable: listed.unreadable.length,
  };
}
