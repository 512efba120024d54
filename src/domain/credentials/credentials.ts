import { MASK, maskSecret } from '../text/mask.ts';

/** New credentials of a subscriber for a provider (contract, operation 1). They are secrets: sent to the service, kept nowhere. */
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

/** In the order in which they are asked for and shown. */
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

/** A credential by its ends: '•••9f3c', one for each device token. */
export interface MaskedCredential {
  readonly field: CredentialField;
  readonly masked: readonly string[];
}

/** What the service holds for a provider, masked where it is read: the ends of secrets tell them apart and no more. */
export interface ChannelSettings {
  readonly providerId: string;
  readonly integrationId: string | null;
  readonly integrationIdentifier: string | null;
  readonly credentials: readonly MaskedCredential[];
}

/** What the service holds of a subscriber once it was updated, as its answer says. */
export interface HeldCredentials {
  readonly settings: readonly ChannelSettings[];
  /** The subscriber was deleted: nothing is sent to it. */
  readonly isDeleted: boolean;
  /** How many parts of the answer couldn't be read. */
  readonly unreadable: number;
}

/** Credentials as they may be shown, typed ones or those that the service gives back: all that there are, masked. */
export function maskedCredentials(credentials: { readonly [Field in CredentialField]?: Value }): MaskedCredential[] {
  return CREDENTIAL_FIELDS.flatMap((field) => {
    const masked = valuesOf(credentials[field]).map(maskSecret);
    return masked.length === 0 ? [] : [{ field, masked }];
  });
}

type Value = string | readonly string[] | null | undefined;

function valuesOf(value: Value): readonly string[] {
  const values = typeof value === 'string' ? [value] : (value ?? []);
  return values.filter((one) => one !== '');
}

/** A text without the values that it quotes; one of a few letters may be in any word, and stays. */
export function withoutValues(text: string, values: readonly string[]): string {
  const revealing = values.filter((value) => value.length >= SHORTEST_QUOTE).sort((a, b) => b.length - a.length);
  return revealing.reduce((rest, value) => rest.replaceAll(value, MASK), text);
}

const SHORTEST_QUOTE = 4;
