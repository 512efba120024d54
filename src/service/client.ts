import { InputError, ServiceError } from '../lib/errors.ts';
import { canBeInPath } from '../lib/text/shown-id.ts';
import { type AskOptions, createAsk, type Operation } from './ask.ts';
import { type CredentialsUpdate, readUpdatedSubscriber } from './credentials.ts';
import { readEvent, type TriggeredEvent } from './event.ts';
import { readEventAnswer } from './event-answer.ts';
import { readIntegration } from './integration.ts';
import { type MessageQuery, readMessage } from './message.ts';
import { type PinnedEventQuery, walkEventPages } from './paging.ts';
import type { Call, EventQuery } from './query.ts';
import { type BodyReader, readCursorPage, readList, readPage } from './reader.ts';
import { readSubscription, type SubscriptionQuery } from './subscription.ts';
import { readTriggerResults, type TriggerItem, triggerBody } from './trigger.ts';

/** Contract, "Limits". */
const MAX_EVENTS_A_REQUEST = 100;

function canBeSent(apiKey: string): boolean {
  return /^[\x21-\x7e]+$/.test(apiKey);
}

/** One key per intent (field notes, "Transport"). */
interface WriteOptions {
  readonly idempotencyKey: string;
}

export type NotificationService = ReturnType<typeof createNotificationService>;

/**
 * Null stands for what the service doesn't have. A call rejects with `ServiceError`, with `InputError` for an ID that no path can hold, and
 * with the signal's reason. A write in flight isn't aborted, since its response shows its outcome.
 * Throws if the key can't be sent in a header: fetch's own error would show the key.
 */
export function createNotificationService(options: AskOptions) {
  const { name: environment, apiKeyVariable } = options.environment;
  if (!canBeSent(options.apiKey())) throw new Error(`${apiKeyVariable} holds a character that no key has.`);
  const { ask, clockAheadMs } = createAsk(options);

  /** Calls an operation whose target always exists: a 404 means that the address isn't the service's. */
  async function askExisting<Result>(operation: Operation<Result>, call: Call): Promise<Result> {
    const result = await ask(operation, call);
    if (result === null) throw new ServiceError(environment, operation.name, { kind: 'gateway', status: 404 });
    return result;
  }

  const listEvents = async (query: EventsQuery, call: Call) =>
    await askExisting(eventsRequest(query, readPage(readEvent)), call);

  return {
    retrieveEvent: async (id: string, call: Call) => await ask(eventRequest(id, readEvent), call),
    /** The service's raw answer about an event; one without an ID is listed. */
    async eventAnswer({ id, transactionId }: Pick<TriggeredEvent, 'id' | 'transactionId'>, call: Call) {
      if (id !== null) return await ask(eventRequest(id, readEventAnswer), call);
      const listed = await askExisting(eventsRequest({ transactionId, limit: 1 }, readPage(readEventAnswer)), call);
      return listed.items[0] ?? null;
    },
    /** Newest first. `page` counts from 0. */
    listEvents,
    eventPages: (query: PinnedEventQuery, call: Call) =>
      walkEventPages((page) => listEvents(page, call), query, environment),
    /** Null if the query names an unknown subscriber. */
    async listMessages({ transactionIds, ...query }: MessageQuery, call: Call) {
      const parameters = { ...query, transactionId: transactionIds };
      const operation = reading('listMessages', '/v1/messages', parameters, readPage(readMessage));
      return await (query.subscriberId === undefined ? askExisting(operation, call) : ask(operation, call));
    },
    listIntegrations: async (call: Call) =>
      await askExisting(reading('listIntegrations', '/v1/integrations', {}, readList(readIntegration)), call),
    async listTopicSubscriptions(topicKey: string, query: SubscriptionQuery, call: Call) {
      const path = `/v2/topics/${segment(topicKey)}/subscriptions`;
      return await ask(reading('listTopicSubscriptions', path, query, readCursorPage(readSubscription)), call);
    },
    async triggerEvents(items: readonly TriggerItem[], { idempotencyKey }: WriteOptions, call: Call) {
      if (items.length < 1 || items.length > MAX_EVENTS_A_REQUEST) {
        throw new InputError('events', `One request triggers 1 to ${MAX_EVENTS_A_REQUEST} events.`);
      }
      const [name, method, path] = ['triggerEvents', 'POST', '/v1/events/trigger/bulk'] as const;
      const [body, read] = [{ events: items.map(triggerBody) }, readTriggerResults(items.length)];
      return await askExisting({ name, method, path, body, idempotencyKey, read }, call);
    },
    async updateCredentials(id: string, body: CredentialsUpdate, { idempotencyKey }: WriteOptions, call: Call) {
      const [name, method, read] = ['updateCredentials', 'PATCH', readUpdatedSubscriber] as const;
      const path = `/v1/subscribers/${segment(id)}/credentials`;
      return await ask({ name, method, path, body, idempotencyKey, read }, call);
    },
    clockAheadMs,
  };
}

type EventsQuery = EventQuery & { readonly page?: number };

function eventRequest<Result>(id: string, read: BodyReader<Result>): Operation<Result> {
  return reading('retrieveEvent', `/v1/notifications/${segment(id)}`, {}, read);
}

function eventsRequest<Result>({ workflowIds, ...query }: EventsQuery, read: BodyReader<Result>): Operation<Result> {
  return reading('listEvents', '/v1/notifications', { ...query, templates: workflowIds }, read);
}

function reading<Result>(name: string, path: string, query: object, read: BodyReader<Result>): Operation<Result> {
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined) search.append(parameter, one instanceof Date ? one.toISOString() : String(one));
    }
  }
  return { name, method: 'GET', path: search.size === 0 ? path : `${path}?${search}`, read };
}

/** Encodes an ID. Throws `InputError` for one that no path segment can hold: an empty one, `.` or `..`, half a surrogate pair. */
function segment(id: string): string {
  if (!canBeInPath(id)) throw new InputError('id', "This isn't an ID.");
  return encodeURIComponent(id);
}
