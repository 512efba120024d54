import { z } from 'zod';
import { initials, MASK, maskEmail, maskPhone, maskSecret } from '../lib/text/mask.ts';
import type { EventSubscriber } from './event.ts';
import { all, type BodyReader, dateOf, flag, reader, text, texts } from './reader.ts';
import type { TopicSubscription } from './subscription.ts';

/** Contract, operation 1. They are secrets: sent to the service, and stored nowhere. */
export interface CredentialsUpdate {
  readonly providerId: string;
  readonly integrationIdentifier?: string;
  readonly credentials: ChannelCredentials;
}

/** Contract, "ChannelCredentials". */
export interface ChannelCredentials {
  readonly webhookUrl?: string;
  readonly channel?: string;
  readonly deviceTokens?: readonly string[];
  readonly alertUid?: string;
  readonly title?: string;
  readonly imageUrl?: string;
  readonly state?: string;
  readonly externalUrl?: string;
}

export type CredentialField = keyof ChannelCredentials;

/** In the order of forms and displays. */
export const CREDENTIAL_FIELDS: readonly CredentialField[] = [
  'webhookUrl',
  'channel',
  'deviceTokens',
  'alertUid',
  'title',
  'imageUrl',
  'state',
  'externalUrl',
];

/** A credential's last characters: '•••9f3c', one for each device token. */
export interface MaskedCredential {
  readonly field: CredentialField;
  readonly masked: readonly string[];
}

/** What the service holds for a provider, masked on reading: the ends of secrets only distinguish them. */
export interface ChannelSettings {
  readonly providerId: string;
  readonly integrationId: string | null;
  readonly integrationIdentifier: string | null;
  readonly credentials: readonly MaskedCredential[];
}

export interface HeldCredentials {
  readonly settings: readonly ChannelSettings[];
  readonly isDeleted: boolean;
  readonly unreadable: number;
}

export function maskedCredentials(credentials: { readonly [Field in CredentialField]?: Value }): MaskedCredential[] {
  return CREDENTIAL_FIELDS.flatMap((field) => {
    const masked = valuesOf(credentials[field]).map(maskSecret);
    return masked.length === 0 ? [] : [{ field, masked }];
  });
}

type Value = string | readonly string[] | null | undefined;

function valuesOf(value: Value): readonly string[] {
  const values = typeof value === 'string' ? [value] : (value ?? []);
  return values.filter((value) => value !== '');
}

/** Removes the values that a text quotes. Values of only a few letters stay, since they may be part of any word. */
export function withoutValues(text: string, values: readonly string[]): string {
  const revealing = values.filter((value) => value.length >= SHORTEST_QUOTE).sort((a, b) => b.length - a.length);
  return revealing.reduce((rest, value) => rest.replaceAll(value, MASK), text);
}

const SHORTEST_QUOTE = 4;

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
