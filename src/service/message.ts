import { z } from 'zod';
import { maskEmail, maskPhone } from '../lib/text/mask.ts';
import type { FreeText } from '../lib/text/scrub.ts';
import type { Page } from './query.ts';
import { all, dateOf, errorIdOf, flag, freeTextOf, reader, text, texts } from './reader.ts';

/** Contract, "Message". Reading drops its content, payload, overrides, webhook address and device tokens. Open lists as in `TriggeredEvent`. */
export interface Message {
  readonly id: string | null;
  readonly eventId: string;
  readonly transactionId: string;
  readonly channel: string;
  /** sent, error, warning, or an unknown one. */
  readonly status: string;
  readonly provider: string | null;
  /** The identifier used in triggers; null if the service doesn't name the workflow. */
  readonly workflow: string | null;
  readonly subscriberId: string | null;
  readonly isSubscriberDeleted: boolean;
  /** Where it went: 'a•••@example.com' */
  readonly maskedEmail: string | null;
  /** '•••67' */
  readonly maskedPhone: string | null;
  readonly devices: number;
  readonly hasWebhook: boolean;
  readonly subject: FreeText | null;
  /** An error's ID or name, scrubbed. */
  readonly errorId: string | null;
  readonly errorText: FreeText | null;
  readonly createdAt: Date | null;
  /** Several after a snooze. */
  readonly deliveredAt: readonly Date[];
  readonly seen: boolean;
  readonly read: boolean;
  readonly lastSeenAt: Date | null;
  readonly lastReadAt: Date | null;
  readonly snoozedUntil: Date | null;
  readonly contextKeys: readonly string[];
}

/** Every query parameter of the message list (contract, operation 4). */
export interface MessageQuery {
  readonly channel?: string;
  readonly subscriberId?: string;
  readonly transactionIds?: readonly string[];
  readonly contextKeys?: readonly string[];
  /** From 0. */
  readonly page?: number;
  /** The contract gives no maximum; 10 by default. */
  readonly limit?: number;
}

export interface MessagePage extends Page<Message> {
  /** Null if the service does not count. */
  readonly totalCount: number | null;
}

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

/**
 * Contract, "Message", only the fields that Notif uses: no content, payload or overrides, and only whether there is a webhook address and
 * how many device tokens there are.
 */
export const readMessage = reader(
  WireMessage,
  (wire): Message => ({
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
    errorId: errorIdOf(wire.errorId),
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
