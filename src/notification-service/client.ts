import type { CredentialsUpdate, HeldCredentials } from '../domain/credentials/credentials.ts';
import type { Environment } from '../domain/environment.ts';
import { ServiceError } from '../domain/errors.ts';
import type { TriggeredEvent } from '../domain/service/event.ts';
import type { EventAnswer } from '../domain/service/event-answer.ts';
import type { Integration } from '../domain/service/integration.ts';
import type { MessagePage, MessageQuery } from '../domain/service/message.ts';
import type { Call, EventQuery, Page, TriggerItem, TriggerResult } from '../domain/service/query.ts';
import type { SubscriptionPage, SubscriptionQuery } from '../domain/service/subscription.ts';
import { type AskOptions, createAsk, keyOf, type Operation } from './ask.ts';
import { createServiceClock } from './clock.ts';
import { type CountOddField, oddFieldNotes } from './odd-fields.ts';
import * as operations from './operations.ts';
import { type EventPage, type PinnedEventQuery, walkEventPages } from './paging.ts';
import { readEventAnswer } from './schema/event.ts';
import { type Items, readPage } from './schema/lists.ts';

/**
 * The seven operations of one environment's Notification Service (contract, "Endpoints"). Each rejects with `ServiceError` if the service
 * couldn't be reached or reported a problem, with `InputError` for an ID that no path can hold, and with the signal's reason once
 * `call.signal` aborts. A write in flight isn't aborted, since its response shows its outcome.
 */
export interface NotificationService {
  /** Returns the event with this ID, or null if the service has none. */
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
  /** Returns the service's raw answer about an event; one without an ID is listed. Null if the service no longer has it. */
  eventAnswer(event: Pick<TriggeredEvent, 'id' | 'transactionId'>, call: Call): Promise<EventAnswer | null>;
  /** Returns one page of events, newest first. `page` counts from 0. */
  listEvents(query: EventQuery & { readonly page?: number }, call: Call): Promise<Page<TriggeredEvent>>;
  /** Yields the pages of events up to the pinned `before`, one request per page. Throws `no-progress` if they repeat themselves. */
  eventPages(query: PinnedEventQuery, call: Call): AsyncGenerator<EventPage, void, undefined>;
  /** Returns one page of messages, or null if the query names an unknown subscriber. */
  listMessages(query: MessageQuery, call: Call): Promise<MessagePage | null>;
  /** Returns the integrations of the whole organization, without their credentials. */
  listIntegrations(call: Call): Promise<Page<Integration>>;
  /** Returns one page of a topic's subscriptions, or null for an unknown topic. */
  listTopicSubscriptions(topicKey: string, query: SubscriptionQuery, call: Call): Promise<SubscriptionPage | null>;
  /** Triggers 1 to 100 events. The results are in the order of the items. There is one key per intent (field notes, "Transport"). */
  triggerEvents(
    items: readonly TriggerItem[],
    options: { readonly idempotencyKey: string },
    call: Call,
  ): Promise<readonly TriggerResult[]>;
  /** Returns everything the service holds for the subscriber after the update, masked, or null for an unknown subscriber. */
  updateCredentials(
    subscriberId: string,
    update: CredentialsUpdate,
    options: { readonly idempotencyKey: string },
    call: Call,
  ): Promise<HeldCredentials | null>;
  /** Returns how far the service's clock is ahead of Notif's by the last response, in milliseconds. Null if responses don't show it. */
  clockAheadMs(): number | null;
}

export interface NotificationServiceOptions extends Omit<AskOptions, 'environment' | 'clock' | 'noteOddFields'> {
  readonly environment: Environment;
  /** Called for each field that is treated as absent because it differs from the contract. */
  readonly countOddField?: CountOddField;
}

const readAnswers = readPage(readEventAnswer);

/** How many different reasons for unreadable items one log line holds. */
const MAX_REASONS = 5;

/** Returns whether a key can be sent in a header. */
export function canBeSent(apiKey: string): boolean {
  return /^[\x21-\x7e]+$/.test(apiKey);
}

/** Creates the client of an environment. Throws if the key can't be sent in a header: fetch's own error would show the key. */
export function createNotificationService(options: NotificationServiceOptions): NotificationService {
  const { environment, logger, countOddField = () => {} } = options;
  if (!canBeSent(keyOf(options.apiKey))) {
    throw new Error(`${environment.apiKeyVariable} holds a character that no key has.`);
  }
  const clock = createServiceClock();
  const noteOddFields = oddFieldNotes(environment.name, logger, countOddField);
  const url = options.url.replace(/\/+$/, '');
  const ask = createAsk({ ...options, clock, noteOddFields, environment: environment.name, url });

  /** Calls an operation whose target always exists: a 404 means that the address isn't the service's. */
  async function askExisting<Result>(operation: Operation<Result>, call: Call): Promise<Result> {
    const result = await ask(operation, call);
    if (result === null) throw new ServiceError(environment.name, operation.name, { kind: 'gateway', status: 404 });
    return result;
  }

  /** Logs which items of a list were unreadable, and returns the list. */
  function noted<List extends Items<unknown>>(operation: string, list: List): List {
    const { items, unreadable } = list;
    if (unreadable.length === 0) return list;
    const reasons = [...new Set(unreadable.map(({ reason }) => reason))].slice(0, MAX_REASONS);
    const fields = {
      operation,
      environment: environment.name,
      unreadable: unreadable.length,
      read: items.length,
      reasons,
    };
    logger.warn(fields, "Some items of a list couldn't be read");
    return list;
  }

  async function listEvents(query: EventQuery & { readonly page?: number }, call: Call) {
    return noted('listEvents', await askExisting(operations.listEvents(query), call));
  }

  return {
    listEvents,
    eventPages: (query, call) => walkEventPages((page) => listEvents(page, call), query, environment.name),
    retrieveEvent: async (id, call) => await ask(operations.retrieveEvent(id), call),
    eventAnswer: async ({ id, transactionId }, call) => {
      if (id !== null) return await ask({ ...operations.retrieveEvent(id), read: readEventAnswer }, call);
      const listed = operations.listEvents({ transactionId, limit: 1 });
      return (await askExisting({ ...listed, read: readAnswers }, call)).items[0] ?? null;
    },
    listMessages: async (query, call) => {
      const operation = operations.listMessages(query);
      const page = await (query.subscriberId === undefined ? askExisting(operation, call) : ask(operation, call));
      return page === null ? null : noted('listMessages', page);
    },
    listIntegrations: async (call) => noted('listIntegrations', await askExisting(operations.listIntegrations(), call)),
    listTopicSubscriptions: async (topicKey, query, call) => {
      const page = await ask(operations.listTopicSubscriptions(topicKey, query), call);
      return page === null ? null : noted('listTopicSubscriptions', page);
    },
    triggerEvents: async (items, { idempotencyKey }, call) =>
      await askExisting(operations.triggerEvents(items, idempotencyKey), call),
    updateCredentials: async (subscriberId, update, { idempotencyKey }, call) =>
      await ask(operations.updateCredentials(subscriberId, update, idempotencyKey), call),
    clockAheadMs: clock.aheadMs,
  };
}
