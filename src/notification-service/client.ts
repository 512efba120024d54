import type { ChannelSettings, CredentialsUpdate } from '../domain/credentials.ts';
import type { TriggeredEvent } from '../domain/event.ts';
import type { Integration } from '../domain/integration.ts';
import type { MessagePage, MessageQuery } from '../domain/message.ts';
import type { Call, EventQuery, Page, TriggerItem, TriggerResult } from '../domain/query.ts';
import type { SubscriptionPage, SubscriptionQuery } from '../domain/subscription.ts';
import type { EventPage, PinnedEventQuery } from './paging.ts';

/**
 * The seven operations of one environment's Notification Service (contract, "Endpoints"). Every one rejects with `ServiceError`
 * when the service could not be asked or answered with a problem, with `InputError` for an id that no path can hold, and with the
 * signal's reason once `call.signal` aborts; a write that is already on its way is not aborted, as its answer tells what became of it.
 */
export interface NotificationService {
  /** The event with this id, or null where the service knows none. */
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
  /** One page of events, newest first; `page` counts from 0. */
  listEvents(query: EventQuery & { readonly page?: number }, call: Call): Promise<Page<TriggeredEvent>>;
  /** The pages of events up to the pinned `before`, newest first, one request a page. */
  eventPages(query: PinnedEventQuery, call: Call): AsyncGenerator<EventPage, void, undefined>;
  /** One page of messages; empty for a subscriber whom the service does not know. */
  listMessages(query: MessageQuery, call: Call): Promise<MessagePage>;
  /** The integrations of the whole organization, without their credentials. */
  listIntegrations(call: Call): Promise<Page<Integration>>;
  /** One page of a topic's subscriptions, or null where the service knows no such topic. */
  listTopicSubscriptions(topicKey: string, query: SubscriptionQuery, call: Call): Promise<SubscriptionPage | null>;
  /** Triggers 1 to 100 events; the results stand in the order of the items. The key is one per intent (field notes, "Transport"). */
  triggerEvents(
    items: readonly TriggerItem[],
    options: { readonly idempotencyKey: string },
    call: Call,
  ): Promise<readonly TriggerResult[]>;
  /** Everything the service now holds for the subscriber, masked, or null where it knows no such subscriber. */
  updateCredentials(
    subscriberId: string,
    update: CredentialsUpdate,
    options: { readonly idempotencyKey: string },
    call: Call,
  ): Promise<readonly ChannelSettings[] | null>;
}
