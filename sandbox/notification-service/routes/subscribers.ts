import { z } from 'zod';
import { type ChannelSettings, chatAndPushProviders, type Integration, type Subscriber } from '../entities.ts';
import { ApiError } from '../http.ts';
import type { OperationInput } from '../operations.ts';
import { parse } from '../validation.ts';
import type { World } from '../world.ts';

const text = (name: string) => z.string(`${name} must be a string`).optional();

const Credentials = z.strictObject(
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

const ChannelUpdate = z.strictObject({
  providerId: z.enum(
    chatAndPushProviders,
    `providerId must be one of the following values: ${chatAndPushProviders.join(', ')}`,
  ),
  integrationIdentifier: text('integrationIdentifier'),
  credentials: Credentials,
});

/** Credentials of a trigger's recipient, of which the contract has only two ("Trigger event item"). */
export const RecipientChannel = ChannelUpdate.extend({
  credentials: Credentials.pick({ webhookUrl: true, deviceTokens: true }),
});
type ChannelUpdate = z.infer<typeof ChannelUpdate>;

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
 * Stores credentials. They replace the channel's, including device tokens (contract, "Update provider credentials"). Returns false if the
 * environment has no active integration for them.
 */
export function storeCredentials(world: World, subscriber: Subscriber, update: ChannelUpdate): boolean {
  const integration = integrationFor(world, update);
  if (!integration) return false;
  const others = subscriber.channels.filter((other) => other._integrationId !== integration._id);
  Object.assign(subscriber, {
    channels: [...others, settingsOf(integration, update)],
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

function settingsOf(integration: Integration, { credentials }: Pick<ChannelUpdate, 'credentials'>): ChannelSettings {
  const { providerId, identifier, _id } = integration;
  return { providerId, integrationIdentifier: identifier, credentials, _integrationId: _id };
}
