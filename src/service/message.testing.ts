import { FreeText } from '../lib/text/scrub.ts';
import { at } from './event.testing.ts';
import type { Message } from './message.ts';

export function aMessage(change: Partial<Message> = {}): Message {
  return {
    id: 'm1',
    eventId: '65f000000000000000000001',
    transactionId: 'txn_0001',
    channel: 'in_app',
    status: 'sent',
    provider: null,
    workflow: 'order-shipped',
    subscriberId: 'user-1',
    isSubscriberDeleted: false,
    maskedEmail: 'a•••@example.com',
    maskedPhone: null,
    devices: 0,
    hasWebhook: false,
    subject: new FreeText('a subject that is nobody’s business'),
    errorId: null,
    errorText: null,
    createdAt: at(1),
    deliveredAt: [],
    seen: true,
    read: false,
    lastSeenAt: at(30),
    lastReadAt: null,
    snoozedUntil: null,
    contextKeys: [],
    ...change,
  };
}
