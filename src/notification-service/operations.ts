import type { CredentialsUpdate } from '../domain/credentials/credentials.ts';
import { InputError } from '../domain/errors.ts';
import type { MessageQuery } from '../domain/service/message.ts';
import type { EventQuery, TriggerItem } from '../domain/service/query.ts';
import type { SubscriptionQuery } from '../domain/service/subscription.ts';
import { path, queryString } from './address.ts';
import { readEvent } from './schema/event.ts';
import { readIntegration } from './schema/integration.ts';
import { readCountedPage, readCursorPage, readList, readPage } from './schema/lists.ts';
import { readMessage } from './schema/message.ts';
import { readUpdatedSubscriber } from './schema/subscriber.ts';
import { readSubscription } from './schema/subscription.ts';
import { readTriggerResults, triggerBody } from './schema/trigger.ts';

/** Contract, "Limits". */
const MAX_EVENTS_A_REQUEST = 100;

const readEvents = readPage(readEvent);
const readMessages = readCountedPage(readMessage);
const readIntegrations = readList(readIntegration);
const readSubscriptions = readCursorPage(readSubscription);

/** The contract's operations ("Endpoints"), in its order: the request, and the reader of its response. */
export function updateCredentials(subscriberId: string, update: CredentialsUpdate, idempotencyKey: string) {
  return {
    name: 'updateCredentials',
    method: 'PATCH',
    path: path`/v1/subscribers/${subscriberId}/credentials`,
    body: update,
    idempotencyKey,
    read: readUpdatedSubscriber,
  } as const;
}

export function listTopicSubscriptions(topicKey: string, query: SubscriptionQuery) {
  return {
    name: 'listTopicSubscriptions',
    method: 'GET',
    path: path`/v2/topics/${topicKey}/subscriptions` + queryString({ ...query }),
    read: readSubscriptions,
  } as const;
}

export function listIntegrations() {
  return { name: 'listIntegrations', method: 'GET', path: '/v1/integrations', read: readIntegrations } as const;
}

export function listMessages({ transactionIds, ...query }: MessageQuery) {
  const parameters = queryString({ ...query, transactionId: transactionIds });
  return { name: 'listMessages', method: 'GET', path: `/v1/messages${parameters}`, read: readMessages } as const;
}

export function listEvents({ workflowIds, ...query }: EventQuery & { readonly page?: number }) {
  const parameters = queryString({ ...query, templates: workflowIds });
  return { name: 'listEvents', method: 'GET', path: `/v1/notifications${parameters}`, read: readEvents } as const;
}

/** Builds the request to trigger events. Throws `InputError` for no event and for more than the contract allows. */
export function triggerEvents(items: readonly TriggerItem[], idempotencyKey: string) {
  if (items.length < 1 || items.length > MAX_EVENTS_A_REQUEST) {
    throw new InputError('events', `One request triggers 1 to ${MAX_EVENTS_A_REQUEST} events.`);
  }
  return {
    name: 'triggerEvents',
    method: 'POST',
    path: '/v1/events/trigger/bulk',
    body: { events: items.map(triggerBody) },
    idempotencyKey,
    read: readTriggerResults(items.length),
  } as const;
}

export function retrieveEvent(id: string) {
  return { name: 'retrieveEvent', method: 'GET', path: path`/v1/notifications/${id}`, read: readEvent } as const;
}
