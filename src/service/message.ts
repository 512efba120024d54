import { z } from 'zod';
import { maskEmail, maskPhone } from '../lib/text/mask.ts';
import type { Page } from './query.ts';
import { all, errorIdOf, type Fixed, flag, freeText, items, optional, readable, text, texts, time } from './schema.ts';

const TemplateBody = z.object({ name: text, triggers: items(z.object({ identifier: text })) });

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
  .transform(({ _id: id, _notificationId: eventId, providerId: provider, template, subscriber, ...message }) => {
    const { templateIdentifier, email, phone, directWebhookUrl, deviceTokens, title, ...rest } = message;
    const { lastSeenDate: lastSeenAt, lastReadDate: lastReadAt, ...shown } = rest;
    return {
      ...{ ...shown, id, eventId, provider, lastSeenAt, lastReadAt },
      workflow: templateIdentifier ?? template?.triggers[0]?.identifier ?? template?.name ?? null,
      subscriberId: subscriber?.subscriberId ?? null,
      isSubscriberDeleted: subscriber?.deleted ?? false,
      maskedEmail: email && maskEmail(email),
      maskedPhone: phone && maskPhone(phone),
      devices: deviceTokens.length,
      hasWebhook: directWebhookUrl !== null,
      subject: shown.subject ?? title,
      errorId: errorIdOf(shown.errorId),
    };
  });

export type Message = Fixed<z.output<typeof MessageBody>>;

export interface MessageQuery {
  channel?: string | undefined;
  subscriberId?: string | undefined;
  transactionIds?: readonly string[];
  contextKeys?: readonly string[];
  page?: number;
  /** Contract: no maximum; 10 by default. */
  limit?: number;
}

export interface MessagePage extends Page<Message> {
  totalCount: number | null;
}
