import { z } from 'zod';
import { maskSecret } from '../lib/text/mask.ts';
import { flag, list, optional, readable, text, texts } from './schema.ts';

export const CHAT_PROVIDERS: readonly string[] = [
  'slack',
  'discord',
  'msteams',
  'mattermost',
  'ryver',
  'zulip',
  'grafana-on-call',
  'getstream',
  'rocket-chat',
  'whatsapp-business',
  'chat-webhook',
  'svc-slack',
];
export const PUSH_PROVIDERS: readonly string[] = [
  'fcm',
  'apns',
  'expo',
  'one-signal',
  'pushpad',
  'push-webhook',
  'pusher-beams',
  'appio',
];

export interface CredentialsUpdate {
  providerId: string;
  integrationIdentifier?: string;
  credentials: { webhookUrl?: string; channel?: string; deviceTokens?: readonly string[] };
}

/** In the order in which they are shown. */
const CredentialsBody = z.object({
  webhookUrl: text,
  channel: text,
  deviceTokens: texts,
  alertUid: text,
  title: text,
  imageUrl: text,
  state: text,
  externalUrl: text,
});

/** A subscriber's settings for the chat or push messages of a provider. */
export interface ChannelSettings {
  providerId: string;
  integrationIdentifier: string | null;
  credentials: readonly MaskedCredential[];
}

interface MaskedCredential {
  field: string;
  masked: readonly string[];
}

export const ChannelBody: z.ZodType<ChannelSettings> = z.object({
  providerId: z.string(),
  integrationIdentifier: text,
  credentials: optional(CredentialsBody).transform(maskedCredentials),
});

export interface UpdatedSubscriber {
  settings: readonly ChannelSettings[];
  isDeleted: boolean;
  /** How many settings couldn't be read. */
  unreadable: number;
}

export const UpdatedSubscriberBody: z.ZodType<UpdatedSubscriber> = z
  .object({ channels: list(ChannelBody), deleted: flag })
  .prefault({})
  .transform(({ channels, deleted: isDeleted }) => {
    const settings = readable(channels);
    return { settings, isDeleted, unreadable: (channels ?? []).length - settings.length };
  });

function maskedCredentials(credentials: z.output<typeof CredentialsBody> | null): MaskedCredential[] {
  return Object.entries(credentials ?? {}).flatMap(([field, value]) => {
    const values = [value ?? []].flat().filter((single) => single !== '');
    return values.length === 0 ? [] : { field, masked: values.map(maskSecret) };
  });
}
