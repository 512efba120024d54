import { z } from 'zod';
import { maskEmail, maskPhone } from '../lib/text/mask.ts';
import type { Page } from './query.ts';
import { all, dateOf, errorIdOf, type Fixed, flag, freeTextOf, reader, text, texts } from './reader.ts';

/**
 * Contract, "Message", only the fields that Notif uses: no content, payload or overrides, and only whether there is a webhook address and
 * how many device tokens there are.
 */
const WireMessage = z.object({
  ...all(z.string(), '_notificationId', 'transactionId', 'channel', 'status'),
  ...all(text, '_id', 'providerId', 'templateIdentifier', 'email', 'phone', 'subject', 'title', 'errorId', 'errorText'),
  ...all(text, 'createdAt', 'lastSeenDate', 'lastReadDate', 'snoozedUntil', 'directWebhookUrl'),
  ...all(texts, 'deliveredAt', 'contextKeys'),
  ...all(flag, 'seen', 'read'),
  template: z.object({ name: text, triggers: z.array(z.object({ identifier: text })).nullish() }).nullish(),
  subscriber: z.object({ subscriberId: text, deleted: flag }).nullish(),
  deviceTokens: z.array(z.unknown()).nullish(),
});

/** Open lists as in `TriggeredEvent`. */
export type Message = Fixed<ReturnType<typeof messageOf>>;

function messageOf(wire: z.infer<typeof WireMessage>) {
  return {
    id: wire._id || null,
    eventId: wire._notificationId,
    transactionId: wire.transactionId,
    channel: wire.channel,
    status: wire.status,
    provider: wire.providerId || null,
    workflow: wire.templateIdentifier || wire.template?.triggers?.[0]?.identifier || wire.template?.name || null,
    subscriberId: wire.subscriber?.subscriberId || null,
    isSubscriberDeleted: wire.subscriber?.deleted ?? false,
    maskedEmail: wire.email ? maskEmail(wire.email) : null,
    maskedPhone: wire.phone ? maskPhone(wire.phone) : null,
    devices: (wire.deviceTokens ?? []).length,
    hasWebhook: Boolean(wire.directWebhookUrl),
    subject: freeTextOf(wire.subject || wire.title),
    /** An error's ID or name, scrubbed. */
    errorId: errorIdOf(wire.errorId),
    errorText: freeTextOf(wire.errorText),
    createdAt: dateOf(wire.createdAt),
    /** Several after a snooze. */
    deliveredAt: (wire.deliveredAt ?? []).map(dateOf).filter((date) => date !== null),
    seen: wire.seen ?? false,
    read: wire.read ?? false,
    lastSeenAt: dateOf(wire.lastSeenDate),
    lastReadAt: dateOf(wire.lastReadDate),
    snoozedUntil: dateOf(wire.snoozedUntil),
    contextKeys: wire.contextKeys ?? [],
  };
}

export const readMessage = reader(WireMessage, (wire): Message => messageOf(wire));

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
