import { z } from 'zod';
import { MASK, maskSecret } from '../lib/text/mask.ts';
import { fields, list, optional, readable, text, texts } from './schema.ts';

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

const CredentialsBody = z.object({
  ...fields(text, 'webhookUrl', 'channel'),
  deviceTokens: texts,
  ...fields(text, 'alertUid', 'title', 'imageUrl', 'state', 'externalUrl'),
});

export const ChannelBody = z.object({
  providerId: z.string(),
  integrationIdentifier: text,
  credentials: optional(CredentialsBody).transform(maskedCredentials),
});

export type ChannelSettings = z.output<typeof ChannelBody>;

export const UpdatedSubscriberBody = z
  .object({ channels: list(ChannelBody) })
  .prefault({})
  .transform(({ channels }) => {
    const settings = readable(channels);
    return { settings, unreadable: (channels ?? []).length - settings.length };
  });

function maskedCredentials(credentials: z.output<typeof CredentialsBody> | null) {
  return Object.entries(credentials ?? {}).flatMap(([field, value]) => {
    const values = [value ?? []].flat().filter((single) => single !== '');
    return values.length === 0 ? [] : { field, masked: values.map(maskSecret) };
  });
}

/** Shorter values may be part of any word. */
const SHORTEST_MASKED = 4;

export function withoutValues(text: string, values: readonly string[]): string {
  const revealing = values.filter((value) => value.length >= SHORTEST_MASKED).sort((a, b) => b.length - a.length);
  return revealing.reduce((rest, value) => rest.replaceAll(value, MASK), text);
}
