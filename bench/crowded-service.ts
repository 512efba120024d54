import { z } from 'zod';
import type { TriggeredEvent } from '../sandbox/notification-service/entities.ts';
import { delivered, failed } from '../sandbox/notification-service/examples.ts';
import { startLocalService } from '../sandbox/notification-service/server.ts';

/**
 * Runs the sandbox's Notification Service with as many events as its argument says, all in the last hours. It runs in its own process and
 * sends its parent its address and the requests to make. With 2,000 events each list already has a full page.
 */
const EVENTS = z.coerce.number().parse(process.argv[2]);
const SUBSCRIBERS = 100;
const EVENTS_A_TRANSACTION = 20;
const HOURS_MS = 10 * 3_600_000;

const service = await startLocalService();
const { world, url, apiKey } = service;
const oldest = Date.now() - HOURS_MS;
for (let index = 0; index < EVENTS; index += 1) plant(index);
const event = plant(7);

const filters = {
  'no filter': '',
  'a span': `after=${new Date(oldest + HOURS_MS / 4).toISOString()}&before=${new Date(oldest + HOURS_MS / 2).toISOString()}`,
  channels: 'channels=push&channels=sms',
  templates: `templates=${event._templateId}`,
  subscriber: 'subscriberIds=user-8',
  'email address': `emails=${world.subscriber('user-8').email}`,
  search: `search=${world.subscriber('user-8').email}`,
  severity: 'severity=high',
  topic: 'topicKey=vip',
  context: 'contextKeys=tenant:acme&contextKeys=region:eu',
  transaction: `transactionId=${event.transactionId}`,
  'several filters':
    'channels=email&severity=high&subscriberIds=user-8&contextKeys=tenant:acme&contextKeys=region:eu&limit=5',
};

process.send?.({
  url,
  apiKey,
  paths: {
    ...Object.fromEntries(
      Object.entries(filters).map(([name, query]) => [`events, ${name}`, `/v1/notifications?${query}`]),
    ),
    'one event': `/v1/notifications/${event._id}`,
    'messages, no filter': '/v1/messages',
    'messages, channel': '/v1/messages?channel=push',
    'messages, subscriber': '/v1/messages?subscriberId=user-8',
    'messages, transaction': `/v1/messages?transactionId=${event.transactionId}`,
    'messages, context': '/v1/messages?contextKeys=tenant:acme&contextKeys=region:eu',
  },
});
process.once('disconnect', () => void service.close());

/** Subscribers and filterable values repeat at different intervals, so that each list has some of everything. */
function plant(index: number): TriggeredEvent {
  const channels = index % 5 === 0 ? failed('push') : index % 5 === 1 ? failed('sms') : delivered();
  return world.plantEvent({
    ...channels,
    createdAt: oldest + Math.floor((index / EVENTS) * HOURS_MS),
    subscriber: `user-${(index % SUBSCRIBERS) + 1}`,
    workflow: index % 2 === 0 ? 'password-reset' : 'order-shipped',
    severity: index % 3 === 0 ? 'high' : 'low',
    topics: index % 9 === 0 ? ['vip'] : [],
    contextKeys: index % 4 === 3 ? ['tenant:acme', 'region:eu'] : [],
    transactionId: `txn-${Math.floor(index / EVENTS_A_TRANSACTION)}`,
  });
}
