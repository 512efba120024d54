import { z } from 'zod';
import type { Message } from '../../domain/message.ts';
import { dateOf } from './date.ts';
import { flag, freeTextOf, text, texts } from './fields.ts';
import { reader } from './reader.ts';
import { maskedEmail, maskedPhone } from './subscriber.ts';

const WireRecipient = z.object({ subscriberId: text });
const WireTemplate = z.object({ name: text, triggers: z.array(z.object({ identifier: text })).nullish() });

const WireMessage = z.object({
  _id: text,
  _notificationId: z.string(),
  transactionId: z.string(),
  channel: z.string(),
  status: z.string(),
  providerId: text,
  templateIdentifier: text,
  template: WireTemplate.nullish(),
  subscriber: WireRecipient.nullish(),
  email: text,
  phone: text,
  subject: text,
  title: text,
  errorId: text,
  errorText: text,
  createdAt: text,
  deliveredAt: texts,
  seen: flag,
  read: flag,
  lastSeenDate: text,
  lastReadDate: text,
  snoozedUntil: text,
  contextKeys: texts,
});

/** Contract, "Message", only the fields that are used: no content, payload, overrides, webhook address, device tokens. */
export const readMessage = reader(
  WireMessage,
  (wire): Message => ({
    id: wire._id ?? null,
    eventId: wire._notificationId,
    transactionId: wire.transactionId,
    channel: wire.channel,
    status: wire.status,
    provider: wire.providerId ?? null,
    workflow: wire.templateIdentifier ?? wire.template?.triggers?.[0]?.identifier ?? wire.template?.name ?? null,
    subscriberId: wire.subscriber?.subscriberId ?? null,
    maskedEmail: maskedEmail(wire.email),
    maskedPhone: maskedPhone(wire.phone),
    subject: freeTextOf(wire.subject ?? wire.title),
    errorId: freeTextOf(wire.errorId),
    errorText: freeTextOf(wire.errorText),
    createdAt: dateOf(wire.createdAt),
    deliveredAt: (wire.deliveredAt ?? []).map(dateOf).filter((date) => date !== null),
    seen: wire.seen ?? false,
    read: wire.read ?? false,
    lastSeenAt: dateOf(wire.lastSeenDate),
    lastReadAt: dateOf(wire.lastReadDate),
    snoozedUntil: dateOf(wire.snoozedUntil),
    contextKeys: wire.contextKeys ?? [],
  }),
);
