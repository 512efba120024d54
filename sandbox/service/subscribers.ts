import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { type ChannelSettings, chatAndPushProviders, type Integration, type Subscriber } from './entities.ts';
import type { OperationInput } from './operations.ts';
import { parse } from './validation.ts';
import type { World } from './world.ts';

const text = z.string().optional();

/** Like the service, accepts any text as a URL, and one device token instead of a list. Other fields aren't stored. */
const Credentials = z.object(
  { webhookUrl: text, channel: text, deviceTokens: z.union([z.array(z.string()), z.string()]).optional() },
  'credentials must be an object',
);

export const ChannelUpdate = z.object({
  providerId: z.enum(chatAndPushProviders, 'providerId must be a valid provider ID'),
  integrationIdentifier: text,
  credentials: Credentials,
});
export type ChannelUpdate = z.infer<typeof ChannelUpdate>;

/** `PATCH /v1/subscribers/:subscriberId/credentials`. */
export function updateCredentials(world: World, { path: [subscriberId = ''], body }: OperationInput): Subscriber {
  const update = parse(ChannelUpdate, body);
  const subscriber = world.subscribers.get(subscriberId);
  if (!subscriber) throw new ApiError(400, `SubscriberId: ${subscriberId} not found`);
  if (updateChannel(world, subscriber, update)) return subscriber;
  const environment = `Subscribers environment (${world.tenancy._environmentId})`;
  throw new ApiError(400, `${environment} do not have active ${update.providerId} integration.`);
}

/** Returns false, and changes nothing, if the provider has no active integration. */
export function updateChannel(world: World, subscriber: Subscriber, update: ChannelUpdate): boolean {
  const { providerId, integrationIdentifier: named, credentials } = update;
  const integration = activeIntegration(world, providerId, named);
  if (integration === undefined) return false;
  const { _id, identifier } = integration;
  const before = subscriber.channels.find(({ _integrationId }) => _integrationId === _id);
  const settings: ChannelSettings = {
    providerId,
    integrationIdentifier: identifier,
    credentials: mergedCredentials(before?.credentials, credentials),
    _integrationId: _id,
  };
  const others = subscriber.channels.filter((each) => each !== before);
  changeSubscriber(world, subscriber, { channels: [...others, settings] });
  return true;
}

function activeIntegration(world: World, providerId: string, named = ''): Integration | undefined {
  const active = [...world.activeIntegrations('push'), ...world.activeIntegrations('chat')];
  return active.find((each) => each.providerId === providerId && (named === '' || each.identifier === named));
}

/** Device tokens are added to the stored ones; an empty list or none wipes them. All other credentials are replaced. */
function mergedCredentials(
  before: ChannelSettings['credentials'] | undefined,
  { deviceTokens = [], ...given }: z.infer<typeof Credentials>,
): ChannelSettings['credentials'] {
  const added = typeof deviceTokens === 'string' ? [deviceTokens] : deviceTokens;
  if (before === undefined && added.length === 0) return given;
  const kept = added.length > 0 ? (before?.deviceTokens ?? []) : [];
  return { ...given, deviceTokens: [...new Set([...kept, ...added])] };
}

export function changeSubscriber(world: World, subscriber: Subscriber, change: object): void {
  Object.assign(subscriber, change, { updatedAt: new Date(world.now()).toISOString() });
}
