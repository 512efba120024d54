import { InputError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/text/payload.ts';
import { canBeInPath } from '../lib/text/shown-id.ts';
import { type ClientOptions, createClient, type Operation } from './client.ts';
import { ContentBody, type SentContent } from './contents.ts';
import { type CredentialsUpdate, type UpdatedSubscriber, UpdatedSubscriberBody } from './credentials.ts';
import { eventKey, type TriggeredEvent } from './event.ts';
import { EventBody } from './event-body.ts';
import {
  type Integration,
  IntegrationBody,
  type Message,
  MessageBody,
  SubscriptionBody,
  type TopicSubscription,
} from './lists.ts';
import { eventMisfits, messageMisfits } from './misfits.ts';
import { listOf, pageOf } from './page.ts';
import type { Call, EventQuery, MessageQuery, Page, SubscriptionQuery } from './query.ts';
import { maskedAnswer } from './raw-event.ts';
import { anyObject, type Parse, parsedBy } from './schema.ts';
import { ServiceError } from './service-error.ts';
import { resultsOf, type TriggerItem, type TriggerResult, triggerBody } from './trigger.ts';

/** More messages of an event aren't read for what they say. */
const CONTENTS_READ = 100;

/** What is sent again is sent as it came. */
const SENT_ON = ['payload', 'overrides'];

const REPEATS = 'its pages repeat the same events';

interface WriteOptions {
  idempotencyKey: string;
}

/** Methods resolve to null for what the service lacks, and reject with `ServiceError`, `InputError` or the signal's reason. */
export interface NotificationService {
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
  /** As the service answers, masked. */
  eventAnswer(id: string, call: Call): Promise<JsonObject | null>;
  listEvents(query: EventQuery & { page?: number }, call: Call): Promise<Page<TriggeredEvent>>;
  /** Without `before`, new events would push items from page to page (docs/service.md). */
  eventPages(query: EventQuery & { before: Date; limit: number }, call: Call): AsyncGenerator<Page<TriggeredEvent>>;
  listMessages(query: MessageQuery, call: Call): Promise<Page<Message> | null>;
  messageContents(
    query: Pick<MessageQuery, 'subscriberId' | 'transactionIds'>,
    call: Call,
  ): Promise<Page<SentContent> | null>;
  listIntegrations(call: Call): Promise<Page<Integration>>;
  listTopicSubscriptions(
    topicKey: string,
    query: SubscriptionQuery,
    call: Call,
  ): Promise<Page<TopicSubscription> | null>;
  triggerEvents(items: readonly TriggerItem[], options: WriteOptions, call: Call): Promise<readonly TriggerResult[]>;
  updateCredentials(
    id: string,
    update: CredentialsUpdate,
    options: WriteOptions,
    call: Call,
  ): Promise<UpdatedSubscriber | null>;
  clockAheadMs(): number | null;
  heldForMs(): number;
}

export type EventReader = Pick<NotificationService, 'retrieveEvent' | 'eventPages' | 'clockAheadMs'>;

export function createNotificationService(options: ClientOptions): NotificationService {
  const environment = options.environment.name;
  const { ask, askPage, clockAheadMs, heldForMs } = createClient(options);

  /** A 404 means that the address isn't the service's. */
  function existing<Result>(result: Result | null, operation: string): Result {
    if (result === null) throw new ServiceError(environment, operation, { kind: 'gateway', status: 404 });
    return result;
  }

  const listEvents: NotificationService['listEvents'] = async (query, call) =>
    existing(await askPage(eventsRequest(query, call), call), 'listEvents');

  return {
    retrieveEvent: (id, call) => ask({ ...eventRequest(id, parsedBy(EventBody)), fieldsAsText: SENT_ON }, call),
    async eventAnswer(id, call) {
      const answer = await ask(eventRequest(id, parsedBy(anyObject)), call);
      return answer && (await maskedAnswer(answer));
    },
    listEvents,
    eventPages: (query, call) =>
      walkEventPages((page) => listEvents({ ...query, page }, call), query.limit, environment),
    async listMessages(query, call) {
      const { transactionIds: transactionId, ...others } = query;
      const parameters = { ...others, transactionId, contextKeys: sorted(query.contextKeys) };
      const parse = pageOf(MessageBody, messageMisfits(query));
      const page = await askPage(getRequest('listMessages', '/v1/messages', parameters, parse), call);
      return query.subscriberId === undefined ? existing(page, 'listMessages') : page;
    },
    async messageContents({ transactionIds: transactionId, subscriberId }, call) {
      const parameters = { subscriberId, transactionId, limit: CONTENTS_READ };
      return askPage(getRequest('listMessages', '/v1/messages', parameters, pageOf(ContentBody)), call);
    },
    async listIntegrations(call) {
      const operation = getRequest('listIntegrations', '/v1/integrations', {}, listOf(IntegrationBody));
      return existing(await askPage(operation, call), operation.name);
    },
    async listTopicSubscriptions(topicKey, query, call) {
      const path = `/v2/topics/${pathSegment(topicKey)}/subscriptions`;
      const parse = pageOf(SubscriptionBody, messageMisfits(query));
      return askPage(getRequest('listTopicSubscriptions', path, query, parse), call);
    },
    async triggerEvents(items, { idempotencyKey }, call) {
      const body = { events: items.map(triggerBody) };
      const parse = parsedBy(resultsOf(items.length));
      const operation = { name: 'triggerEvents', method: 'POST', path: '/v1/events/trigger/bulk', body } as const;
      return existing(await ask({ ...operation, idempotencyKey, parse }, call), operation.name);
    },
    async updateCredentials(id, body, { idempotencyKey }, call) {
      const path = `/v1/subscribers/${pathSegment(id)}/credentials`;
      const parse = parsedBy(UpdatedSubscriberBody);
      return ask({ name: 'updateCredentials', method: 'PATCH', path, body, idempotencyKey, parse }, call);
    },
    clockAheadMs,
    heldForMs,
  };
}

const eventRequest = <Result>(id: string, parse: Parse<Result>) =>
  getRequest('retrieveEvent', `/v1/notifications/${pathSegment(id)}`, {}, parse);

function eventsRequest(query: EventQuery, { who }: Call) {
  const { workflowIds: templates, ...others } = query;
  // The poller counts each event once, and must not lose those with another date.
  const checked = who === 'poller' ? { ...query, after: undefined, before: undefined } : query;
  const parameters = { ...others, emails: bothCases(query.emails), templates, contextKeys: sorted(query.contextKeys) };
  const request = getRequest('listEvents', '/v1/notifications', parameters, pageOf(EventBody, eventMisfits(checked)));
  return { ...request, fieldsAsText: SENT_ON };
}

/** The service is case-sensitive, and phones capitalize what is typed. */
const bothCases = (emails?: readonly string[]) =>
  emails && [...new Set(emails.flatMap((email) => [email, email.toLowerCase()]))];

/** The service finds messages only with sorted keys. */
const sorted = (contextKeys: readonly string[] = []) => contextKeys.toSorted();

function getRequest<Result>(name: string, path: string, query: object, parse: Parse<Result>): Operation<Result> {
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) {
    for (const single of [value].flat()) {
      if (single === undefined) continue;
      search.append(parameter, single instanceof Date ? single.toISOString() : String(single));
    }
  }
  return { name, method: 'GET', path: search.size === 0 ? path : `${path}?${search}`, parse };
}

function pathSegment(id: string) {
  if (!canBeInPath(id)) throw new InputError('id', "This isn't an ID.");
  return encodeURIComponent(id);
}

/** Ends at the last page or a repeated one. Throws if the repeated one is full: what follows can't be read. */
export async function* walkEventPages(
  listPage: (page: number) => Promise<Page<TriggeredEvent>>,
  limit: number,
  environment: string,
): AsyncGenerator<Page<TriggeredEvent>> {
  const seen = new Set<string>();
  const isNew = (key: string) => !seen.has(key) && seen.add(key);
  for (let page = 0; ; page++) {
    const { items, unreadable, misfits = [], hasMore } = await listPage(page);
    const fresh = {
      items: items.filter((event) => isNew(eventKey(event))),
      unreadable: unreadable.filter(({ key }) => isNew(key)),
      misfits: misfits.filter(({ key }) => isNew(key)),
    };
    const isRepeat = page > 0 && Object.values(fresh).flat().length === 0;
    if (hasMore && isRepeat) {
      if (items.length + unreadable.length + misfits.length < limit) return;
      throw new ServiceError(environment, 'listEvents', { kind: 'unreadable', status: 200, wrong: REPEATS });
    }
    yield { ...fresh, hasMore };
    if (!hasMore) return;
  }
}
