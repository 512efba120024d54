import { z } from 'zod';
import { MASK, maskSecret } from '../lib/text/mask.ts';
import { all, type BodyReader, type Fixed, flag, reader, text, texts } from './reader.ts';

/** Contract, "ChannelCredentials". They are secrets: sent to the service, and stored nowhere. */
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

export interface CredentialsUpdate {
  readonly providerId: string;
  readonly integrationIdentifier?: string;
  readonly credentials: ChannelCredentials;
}

export type CredentialField = keyof ChannelCredentials;

export const CREDENTIAL_FIELDS: readonly CredentialField[] = [
  ...(['webhookUrl', 'channel', 'deviceTokens', 'alertUid'] as const),
  ...(['title', 'imageUrl', 'state', 'externalUrl'] as const),
];

const WireChannel = z.object({
  providerId: z.string(),
  ...all(text, 'integrationIdentifier', '_integrationId'),
  credentials: z
    .object({
      ...all(text, 'webhookUrl', 'channel', 'alertUid', 'title', 'imageUrl', 'state', 'externalUrl'),
      deviceTokens: texts,
    })
    .nullish(),
});

/** What the service holds for a provider, masked on reading: the ends of secrets only distinguish them. */
export type ChannelSettings = Fixed<ReturnType<typeof settingsOf>>;

export interface HeldCredentials {
  readonly settings: readonly ChannelSettings[];
  readonly isDeleted: boolean;
  readonly unreadable: number;
}

const readHeld = reader(
  z.object({ channels: z.array(WireChannel).nullish(), deleted: flag }),
  ({ channels, deleted }, { length: unreadable }): HeldCredentials => {
    return { settings: (channels ?? []).map(settingsOf), isDeleted: deleted ?? false, unreadable };
  },
);

/** Reads the response of the credentials update: what the subscriber's channels hold after it. Empty if the response has no body. */
export const readUpdatedSubscriber: BodyReader<HeldCredentials> = (body) => readHeld(body ?? {});

function settingsOf(wire: z.infer<typeof WireChannel>) {
  const { providerId, _integrationId: integrationId = null, integrationIdentifier = null } = wire;
  return { providerId, integrationId, integrationIdentifier, credentials: maskedCredentials(wire.credentials ?? {}) };
}

type Value = string | readonly string[] | null | undefined;

export function maskedCredentials(credentials: { readonly [Field in CredentialField]?: Value }) {
  return CREDENTIAL_FIELDS.map((field) => {
    const values = [credentials[field] ?? []].flat();
    return { field, masked: values.filter((value) => value !== '').map(maskSecret) };
  }).filter(({ masked }) => masked.length > 0);
}

/** Values of only a few letters may be part of any word. */
const SHORTEST_QUOTE = 4;

/** Removes the values that a text quotes. */
export function withoutValues(text: string, values: readonly string[]): string {
  const revealing = values.filter((value) => value.length >= SHORTEST_QUOTE).sort((a, b) => b.length - a.length);
  return revealing.reduce((rest, value) => rest.replaceAll(value, MASK), text);
}
