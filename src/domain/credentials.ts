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

/** What the service holds for a provider, masked where it is read: the ends of secrets tell them apart and no more. */
export interface ChannelSettings {
  readonly providerId: string;
  readonly integrationId: string | null;
  readonly integrationIdentifier: string | null;
  /** '•••9f3c' */
  readonly maskedWebhookUrl: string | null;
  /** '•••9f3c' each */
  readonly maskedDeviceTokens: readonly string[];
  readonly channel: string | null;
}
