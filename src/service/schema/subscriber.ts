import { z } from 'zod';
import { initials, maskEmail, maskPhone } from '../../lib/text/mask.ts';
import { type ChannelSettings, type HeldCredentials, maskedCredentials } from '../credentials.ts';
import type { EventSubscriber } from '../event.ts';
import type { TopicSubscription } from '../subscription.ts';
import { all, dateOf, flag, text, texts } from './fields.ts';
import { type BodyReader, reader } from './reader.ts';

export const WireSubscriber = z.object({
  subscriberId: z.string(),
  ...all(text, 'firstName', 'lastName', 'email', 'phone'),
});

/** Converts a subscriber. Contacts and names are masked here and go no further. */
export function subscriberOf(wire: z.infer<typeof WireSubscriber>): EventSubscriber {
  return {
    subscriberId: wire.subscriberId,
    initials: initials(wire.firstName, wire.lastName),
    maskedEmail: wire.email ? maskEmail(wire.email) : null,
    maskedPhone: wire.phone ? maskPhone(wire.phone) : null,
  };
}

/** Contract, "ChannelCredentials". */
const WireCredentials = z.object({
  ...all(text, 'webhookUrl', 'channel', 'alertUid', 'title', 'imageUrl', 'state', 'externalUrl'),
  deviceTokens: texts,
});
const WireChannel = z.object({
  providerId: z.string(),
  ...all(text, 'integrationIdentifier', '_integrationId'),
  credentials: WireCredentials.nullish(),
});
const WireUpdated = z.object({ channels: z.array(WireChannel).nullish(), deleted: flag });

const readHeld = reader(WireUpdated, ({ channels, deleted }, { length: unreadable }): HeldCredentials => {
  return { settings: (channels ?? []).map(channelOf), isDeleted: deleted ?? false, unreadable };
});

/** Reads the response of the credentials update: what the subscriber's channels hold after it. Empty if the response has no body. */
export const readUpdatedSubscriber: BodyReader<HeldCredentials> = (body) => readHeld(body ?? {});

function channelOf(wire: z.infer<typeof WireChannel>): ChannelSettings {
  const { providerId, _integrationId: integrationId = null, integrationIdentifier = null } = wire;
  return { providerId, integrationId, integrationIdentifier, credentials: maskedCredentials(wire.credentials ?? {}) };
}

const WireSubscription = z.object({
  _id: z.string(),
  createdAt: text,
  topic: z.object({ key: z.string(), name: text, createdAt: text, updatedAt: text }),
  subscriber: WireSubscriber.nullish(),
});

/** Contract, "TopicSubscription". */
export const readSubscription = reader(WireSubscription, (wire): TopicSubscription => {
  const { key, name, createdAt, updatedAt } = wire.topic;
  return {
    id: wire._id,
    createdAt: dateOf(wire.createdAt),
    topic: { key, name: name || null, createdAt: dateOf(createdAt), updatedAt: dateOf(updatedAt) },
    subscriber: wire.subscriber ? subscriberOf(wire.subscriber) : null,
  };
});
