import { z } from 'zod';
import type { CallToAction, Message } from '../../domain/service/message.ts';
import { FreeText } from '../../domain/text/free-text.ts';
import { dateOf } from './date.ts';
import { errorIdOf } from './error-id.ts';
import { flag, freeTextOf, optional, text, texts } from './fields.ts';
import { reader } from './reader.ts';
import { maskedEmail, maskedPhone } from './subscriber.ts';

const WireRecipient = z.object({ subscriberId: text, deleted: flag });
const WireTemplate = z.object({ name: text, triggers: optional(z.array(z.object({ identifier: text }))) });

/** Contract, "MessageCTA". */
const WireCallToAction = optional(
  z.object({
    data: optional(z.object({ url: text })),
    action: optional(
      z.object({
        status: text,
        buttons: optional(z.array(z.object({ content: z.string() }))),
        result: optional(z.object({ type: text })),
      }),
    ),
  }),
);

const WireMessage = z.object({
  _id: text,
  _notificationId: z.string(),
  transactionId: z.string(),
  channel: z.string(),
  status: z.string(),
  providerId: text,
  templateIdentifier: text,
  template: optional(WireTemplate),
  subscriber: optional(WireRecipient),
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
  cta: WireCallToAction,
  deviceTokens: optional(z.array(z.unknown())),
  directWebhookUrl: text,
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
    maskedEmail: maskedEmail(wire.email),
    maskedPhone: maskedPhone(wire.phone),
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
    callToAction: callToActionOf(wire.cta),
  }),
);

/** Returns null for an empty call to action: the service gives every message one. */
function callToActionOf(wire: z.infer<typeof WireCallToAction>): CallToAction | null {
  const url = wire?.data?.url;
  const { status, buttons, result } = wire?.action ?? {};
  if (!url && !status && (buttons ?? []).length === 0) return null;
  return {
    leadsTo: url ? new FreeText(url) : null,
    buttons: (buttons ?? []).map(({ content }) => new FreeText(content)),
    status: status || null,
    chosen: result?.type || null,
  };
}
