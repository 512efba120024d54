import { z } from 'zod';
import { MASK, maskSecret } from '../lib/text/mask.ts';
import { all, list, optional, readable, text, texts } from './schema.ts';

const CREDENTIAL_FIELDS = [
  'webhookUrl',
  'channel',
  'deviceTokens',
  'alertUid',
  'title',
  'imageUrl',
  'state',
  'externalUrl',
] as const;

export const CHAT_PROVIDERS: readonly string[] =
  'slack discord msteams mattermost ryver zulip grafana-on-call getstream rocket-chat whatsapp-business chat-webhook svc-slack'.split(
    ' ',
  );
export const PUSH_PROVIDERS: readonly string[] =
  'fcm apns expo one-signal pushpad push-webhook pusher-beams appio'.split(' ');

export interface CredentialsUpdate {
  providerId: string;
  integrationIdentifier?: string;
  credentials: { webhookUrl?: string; channel?: string; deviceTokens?: readonly string[] };
}

const CredentialsBody = z.object({ ...all(text, ...CREDENTIAL_FIELDS), deviceTokens: texts });

export const ChannelBody = z
  .object({ providerId: z.string(), integrationIdentifier: text, credentials: optional(CredentialsBody) })
  .transform(({ credentials, ...channel }) => ({ ...channel, credentials: maskedCredentials(credentials ?? {}) }));

export type ChannelSettings = z.output<typeof ChannelBody>;

export const UpdatedSubscriberBody = z
  .object({ channels: list(ChannelBody) })
  .prefault({})
  .transform(({ channels }) => {
    const settings = readable(channels);
    return { settings, unreadable: (channels ?? []).length - settings.length };
  });

export type HeldCredentials = z.output<typeof UpdatedSubscriberBody>;

type Value = string | readonly string[] | null | undefined;

export function maskedCredentials(credentials: { [Field in (typeof CREDENTIAL_FIELDS)[number]]?: Value }) {
  return CREDENTIAL_FIELDS.map((field) => {
    const values = [credentials[field] ?? []].flat();
    return { field, masked: values.filter((value) => value !== '').map(maskSecret) };
  }).filter(({ masked }) => masked.length > 0);
}

/** A few letters may be part of any word. */
const SHORTEST_QUOTE = 4;

export function withoutValues(text: string, values: readonly string[]): string {
  const revealing = values.filter((value) => value.length >= SHORTEST_QUOTE).sort((a, b) => b.length - a.length);
  return revealing.reduce((rest, value) => rest.replaceAll(value, MASK), text);
}
