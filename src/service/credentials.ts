import { MASK, maskSecret } from '../lib/text/mask.ts';

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
