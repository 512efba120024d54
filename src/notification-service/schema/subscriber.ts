import { z } from 'zod';
import type { ChannelSettings } from '../../domain/credentials.ts';
import type { EventSubscriber } from '../../domain/event.ts';
import { initials, maskEmail, maskPhone } from '../../domain/mask.ts';
import { text, texts } from './fields.ts';

/** A subscriber wherever one is nested. Contacts and names are masked here and go no further. */
export const Subscriber = z
  .object({ subscriberId: z.string(), firstName: text, lastName: text, email: text, phone: text })
  .transform(
    (wire): EventSubscriber => ({
      subscriberId: wire.subscriberId,
      initials: initials(wire.firstName ?? null, wire.lastName ?? null),
      maskedEmail: maskedEmail(wire.email),
      maskedPhone: maskedPhone(wire.phone),
    }),
  );

export function maskedEmail(email: string | null | undefined): string | null {
  return email ? maskEmail(email) : null;
}

export function maskedPhone(phone: string | null | undefined): string | null {
  return phone ? maskPhone(phone) : null;
}

const Channel = z
  .object({
    providerId: z.string(),
    integrationIdentifier: text,
    _integrationId: text,
    credentials: z.object({ webhookUrl: text, deviceTokens: texts, channel: text }).nullish(),
  })
  .transform(
    (wire): ChannelSettings => ({
      providerId: wire.providerId,
      integrationId: wire._integrationId ?? null,
      integrationIdentifier: wire.integrationIdentifier ?? null,
      maskedWebhookUrl: wire.credentials?.webhookUrl ? lastFour(wire.credentials.webhookUrl) : null,
      maskedDeviceTokens: (wire.credentials?.deviceTokens ?? []).map(lastFour),
      channel: wire.credentials?.channel ?? null,
    }),
  );

/** The answer of the credentials update: all that is read of it is what the subscriber's channels now hold. */
export const UpdatedSubscriber = z
  .object({ channels: z.array(Channel).nullish() })
  .transform((wire): readonly ChannelSettings[] => wire.channels ?? []);

/** Secrets shorter than this would be given away by their last four characters. */
const SHORTEST_TOLD = 16;

function lastFour(secret: string): string {
  return secret.length < SHORTEST_TOLD ? '•••' : `•••${secret.slice(-4)}`;
}
