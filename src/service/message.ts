import { z } from 'zod';
import { maskEmail, maskPhone } from '../lib/text/mask.ts';
import type { Page } from './query.ts';
import { all, errorIdOf, type Fixed, flag, freeText, items, optional, readable, text, texts, time } from './schema.ts';

const TemplateBody = z.object({ name: text, triggers: items(z.object({ identifier: text })) });

/** Contract, "Message": no content, payload or overrides, and of addresses and device tokens only whether there are any. */
export const MessageBody = z
  .object({
    ...all(z.string(), '_notificationId', 'transactionId', 'channel', 'status'),
    ...all(text, '_id', 'providerId', 'templateIdentifier', 'email', 'phone', 'errorId', 'directWebhookUrl'),
    ...all(freeText, 'subject', 'title', 'errorText'),
    ...all(time, 'createdAt', 'lastSeenDate', 'lastReadDate', 'snoozedUntil'),
    deliveredAt: items(time).transform(readable),
    contextKeys: texts,
    ...all(flag, 'seen', 'read'),
    template: optional(TemplateBody),
    subscriber: optional(z.object({ subscriberId: text, deleted: flag })),
    deviceTokens: items(z.unknown()),
  })
  .transform(({ template, subscriber, ...wire }) => ({
    id: wire._id,
    eventId: wire._notificationId,
    transactionId: wire.transactionId,
    channel: wire.channel,
    status: wire.status,
    provider: wire.providerId,
    workflow: wire.templateIdentifier ?? template?.triggers[0]?.identifier ?? template?.name ?? null,
    subscriberId: subscriber?.subscriberId ?? null,
    isSubscriberDeleted: subscriber?.deleted ?? false,
    maskedEmail: wire.email && maskEmail(wire.email),
    maskedPhone: wire.phone && maskPhone(wire.phone),
    devices: wire.deviceTokens.length,
    hasWebhook: wire.directWebhookUrl !== null,
    subject: wire.subject ?? wire.title,
    errorId: errorIdOf(wire.errorId),
    errorText: wire.errorText,
    createdAt: wire.createdAt,
    /** Several after a snooze. */
    deliveredAt: wire.deliveredAt,
    seen: wire.seen,
    read: wire.read,
    lastSeenAt: wire.lastSeenDate,
    lastReadAt: wire.lastReadDate,
    snoozedUntil: wire.snoozedUntil,
    contextKeys: wire.contextKeys,
  }));

/** Open lists as in `TriggeredEvent`. */
export type Message = Fixed<z.output<typeof MessageBody>>;

/** Every query parameter of the message list (contract, operation 4). */
export interface MessageQuery {
  readonly channel?: string;
  readonly subscriberId?: string;
  readonly transactionIds?: readonly string[];
  readonly contextKeys?: readonly string[];
  readonly page?: number;
  /** The contract gives no maximum; 10 by default. */
  readonly limit?: number;
}

export interface MessagePage extends Page<Message> {
  /** Null if the service does not count. */
  readonly totalCount: number | null;
}
