import { aSubscriber, at } from './event.testing.ts';
import type { Integration, Message, TopicSubscription } from './lists.ts';

export function anIntegration(change: Partial<Integration> = {}): Integration {
  return {
    id: '65a000000000000000000001',
    name: 'SendGrid',
    identifier: 'sendgrid-a1b2c3',
    provider: 'sendgrid',
    channel: 'email',
    active: true,
    primary: true,
    deleted: false,
    deletedAt: null,
    hasConditions: false,
    conditionFields: [],
    inboundWebhook: true,
    credentialsMark: '8f2c',
    serviceEnvironmentId: '64e000000000000000000001',
    ...change,
  };
}

export function aMessage(change: Partial<Message> = {}): Message {
  return {
    jobId: null,
    eventId: '65f000000000000000000001',
    transactionId: 'txn_0001',
    channel: 'in_app',
    status: 'sent',
    provider: null,
    workflowId: '65b000000000000000000001',
    workflow: 'order-shipped',
    subscriber: aSubscriber('user-1'),
    maskedEmail: 'a•••@example.com',
    maskedPhone: null,
    devices: 0,
    hasWebhook: false,
    errorId: null,
    errorText: null,
    createdAt: at(1),
    deliveredAt: [],
    seen: true,
    read: false,
    lastSeenDate: at(30),
    lastReadDate: null,
    ...change,
  };
}

export function aSubscription(change: Partial<TopicSubscription> = {}): TopicSubscription {
  return {
    id: '66000000000000000000000a',
    createdAt: at(0),
    subscriber: aSubscriber('user-1', { initials: 'A. L.', maskedEmail: 'a•••@example.com' }),
    ...change,
  };
}
