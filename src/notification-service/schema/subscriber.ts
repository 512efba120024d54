import { z } from 'zod';
import { type ChannelSettings, maskedCredentials } from '../../domain/credentials.ts';
import type { EventSubscriber } from '../../domain/event.ts';
import { initials, maskEmail, maskPhone } from '../../domain/mask.ts';
import { text, texts } from './fields.ts';
import { type Reader, reader } from './reader.ts';

/** A subscriber wherever one is nested. */
export const WireSubscriber = z.object({
  subscriberId: z.string(),
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
});

/** Contacts and names are masked here and go no further. */
export function subscriberOf(wire: z.infer<typeof WireSubscriber>): EventSubscriber {
  return {
    subscriberId: wire.subscriberId,
    initials: initials(wire.firstName, wire.lastName),
    maskedEmail: maskedEmail(wire.email),
    maskedPhone: maskedPhone(wire.phone),
  };
}

export const readSubscriber = reader(WireSubscriber, subscriberOf);

export function maskedEmail(email: string | null | undefined): string | null {
  return email ? maskEmail(email) : null;
}

export function maskedPhone(phone: string | null | undefined): string | null {
  return phone ? maskPhone(phone) : null;
}

const WireChannel = z.object({
  providerId: z.string(),
  integrationIdentifier: text,
  _integrationId: text,
  credentials: z
    .object({
      webhookUrl: text,
      channel: text,
      deviceTokens: texts,
      alertUid: text,
      title: text,
      imageUrl: text,
      state: text,
      externalUrl: text,
    })
    .nullish(),
});

const readHeld = reader(z.object({ channels: z.array(WireChannel).nullish() }), (wire): readonly ChannelSettings[] =>
  (wire.channels ?? []).map(channelOf),
);

/** The answer of the credentials update: what the subscriber's channels now hold; none where the service answers without a body. */
export const readUpdatedSubscriber: Reader<readonly ChannelSettings[]> = (body) =>
  body === undefined ? { ok: true, value: [] } : readHeld(body);

function channelOf({ credentials, ...wire }: z.infer<typeof WireChannel>): ChannelSettings {
  return {
    providerId: wire.providerId,
    integrationId: wire._integrationId ?? null,
    integrationIdentifier: wire.integrationIdentifier ?? null,
    credentials: maskedCredentials(credentials ?? {}),
  };
}
