import { z } from 'zod';
import { type ChannelSettings, type HeldCredentials, maskedCredentials } from '../../domain/credentials/credentials.ts';
import type { EventSubscriber } from '../../domain/service/event.ts';
import { initials, maskEmail, maskPhone } from '../../domain/text/mask.ts';
import { flag, optional, text, texts } from './fields.ts';
import { type BodyReader, reader } from './reader.ts';

/** A nested subscriber. */
export const WireSubscriber = z.object({
  subscriberId: z.string(),
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
});

/** Converts a subscriber. Contacts and names are masked here and go no further. */
export function subscriberOf(wire: z.infer<typeof WireSubscriber>): EventSubscriber {
  return {
    subscriberId: wire.subscriberId,
    initials: initials(wire.firstName, wire.lastName),
    maskedEmail: maskedEmail(wire.email),
    maskedPhone: maskedPhone(wire.phone),
  };
}

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
  credentials: optional(
    z.object({
      webhookUrl: text,
      channel: text,
      deviceTokens: texts,
      alertUid: text,
      title: text,
      imageUrl: text,
      state: text,
      externalUrl: text,
    }),
  ),
});

const WireUpdated = z.object({ channels: optional(z.array(WireChannel)), deleted: flag });

const readHeld = reader(WireUpdated, ({ channels, deleted }, { length: unreadable }): HeldCredentials => {
  return { settings: (channels ?? []).map(channelOf), isDeleted: deleted ?? false, unreadable };
});

/** Reads the response of the credentials update: what the subscriber's channels hold after it. Empty if the response has no body. */
export const readUpdatedSubscriber: BodyReader<HeldCredentials> = (body) => readHeld(body ?? {});

function channelOf({ credentials, ...wire }: z.infer<typeof WireChannel>): ChannelSettings {
  return {
    providerId: wire.providerId,
    integrationId: wire._integrationId ?? null,
    integrationIdentifier: wire.integrationIdentifier ?? null,
    credentials: maskedCredentials(credentials ?? {}),
  };
}
