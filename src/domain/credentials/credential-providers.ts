import type { CredentialField } from './credentials.ts';

/** A provider for which a subscriber can have credentials (contract, "ChannelSettings", `providerId`). */
export interface CredentialProvider {
  readonly id: string;
  readonly channel: 'chat' | 'push';
  /** The fields to fill in. The contract doesn't say what each provider needs. */
  readonly fields: readonly CredentialField[];
}

const CHAT = ['slack', 'discord', 'msteams', 'ryver', 'zulip', 'getstream', 'rocket-chat', 'whatsapp-business'];
const PUSH = ['fcm', 'apns', 'expo', 'one-signal', 'pushpad', 'push-webhook', 'pusher-beams', 'appio'];

export const CREDENTIAL_PROVIDERS: readonly CredentialProvider[] = [
  ...[...CHAT, 'chat-webhook', 'svc-slack'].map((id) => chat(id, ['webhookUrl'])),
  chat('mattermost', ['webhookUrl', 'channel']),
  chat('grafana-on-call', ['webhookUrl', 'alertUid', 'title', 'imageUrl', 'state', 'externalUrl']),
  ...PUSH.map((id): CredentialProvider => ({ id, channel: 'push', fields: ['deviceTokens'] })),
];

export function credentialProvider(id: string | null): CredentialProvider | null {
  return CREDENTIAL_PROVIDERS.find((provider) => provider.id === id) ?? null;
}

function chat(id: string, fields: readonly CredentialField[]): CredentialProvider {
  return { id, channel: 'chat', fields };
}
