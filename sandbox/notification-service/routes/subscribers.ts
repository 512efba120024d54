import { z } from 'zod';
import type { ChannelSettings, Integration, Subscriber } from '../entities.ts';
import { ApiError } from '../errors.ts';
import type { OperationInput } from '../operations.ts';
import { parse } from '../validation.ts';
import type { World } from '../world.ts';

// biome-ignore format: two rows of names read better than twenty lines
const providers = [
  'slack', 'discord', 'msteams', 'mattermost', 'ryver', 'zulip', 'grafana-on-call', 'getstream', 'rocket-chat', 'whatsapp-business',
  'chat-webhook', 'svc-slack', 'fcm', 'apns', 'expo', 'one-signal', 'pushpad', 'push-webhook', 'pusher-beams', 'appio',
] as const;

const text = (name: string) => z.string(`${name} must be a string`).optional();

const Credentials = z.object(
  {
    webhookUrl: text('webhookUrl'),
    channel: text('channel'),
    deviceTokens: z
      .array(z.string('each value in deviceTokens must be a string'), 'deviceTokens must be an array')
      .optional(),
    alertUid: text('alertUid'),
    title: text('title'),
    imageUrl: text('imageUrl'),
    state: text('state'),
    externalUrl: text('externalUrl'),
  },
  'credentials should not be null or undefined',
);

/** Credentials for a provider: the body of an update, or what a trigger's recipient brings. */
export const ChannelUpdate = z.object({
  providerId: z.enum(providers, `providerId must be one of the following values: ${providers.join(', ')}`),
  integrationIdentifier: text('integrationIdentifier'),
  credentials: Credentials,
});
export type ChannelUpdate = z.infer<typeof ChannelUpdate>;

/** `PATCH /v1/subscribers/:subscriberId/credentials` */
export function updateCredentials(world: World, { path: [subscriberId = ''], body }: OperationInput): Subscriber {
  const update = parse(ChannelUpdate, body);
  const subscriber = world.subscribers.get(subscriberId);
  if (!subscriber) throw new ApiError(400, `Subscriber not found for id ${subscriberId}`);
  if (!storeCredentials(world, subscriber, update))
    throw new ApiError(
      400,
      `Subscribers environment (${world.tenancy._environmentId}) do not have active ${update.providerId} integration.`,
    );
  return subscriber;
}

/**
 * Stores credentials as the service does: device tokens are appended, an update of an existing channel without tokens wipes them, and only webhookUrl,
 * deviceTokens and channel are kept. False when the environment has no active integration for them.
 */
export function storeCredentials(world: World, subscriber: Subscriber, update: ChannelUpdate): boolean {
  const integration = integrationFor(world, update);
  if (!integration) return false;
  const current = subscriber.channels.find((settings) => settings._integrationId === integration._id);
  const others = subscriber.channels.filter((other) => other !== current);
  Object.assign(subscriber, {
    channels: [...others, mergedSettings(current, integration, update)],
    updatedAt: new Date(world.now()).toISOString(),
    __v: subscriber.__v + 1,
  });
  return true;
}

function integrationFor(world: World, { providerId, integrationIdentifier }: ChannelUpdate): Integration | undefined {
  return world.integrations.find(
    (candidate) =>
      candidate._environmentId === world.tenancy._environmentId &&
      candidate.providerId === providerId &&
      candidate.active &&
      (integrationIdentifier === undefined || candidate.identifier === integrationIdentifier),
  );
}

function mergedSettings(
  current: ChannelSettings | undefined,
  integration: Integration,
  { credentials }: ChannelUpdate,
): ChannelSettings {
  const { webhookUrl, channel, deviceTokens } = credentials;
  const kept = deviceTokens && (current?.credentials.deviceTokens ?? []);
  const tokens = kept && [...new Set([...kept, ...deviceTokens])];
  return {
    providerId: integration.providerId,
    integrationIdentifier: integration.identifier,
    credentials: { webhookUrl, channel, deviceTokens: tokens ?? (current?.credentials.deviceTokens && []) },
    _integrationId: integration._id,
  };
}
