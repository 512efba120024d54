import { addSeconds } from 'date-fns';
import type { z } from 'zod';
import { InputError, mayBeAboutTheRequest, orServiceError, ServiceError } from '../lib/errors.ts';
import { askableId, canBeInPath } from '../lib/text/shown-id.ts';
import { type ClientOptions, createClient, type Operation } from './client.ts';
import { ContentBody } from './contents.ts';
import { type CredentialsUpdate, UpdatedSubscriberBody } from './credentials.ts';
import { completed, EventBody, eventKey, lacksReason, showsOneRecipient, type TriggeredEvent } from './event.ts';
import { maskedAnswer } from './event-answer.ts';
import {
  eventMisfits,
  IntegrationBody,
  MessageBody,
  type MessageQuery,
  messageMisfits,
  SubscriptionBody,
  type SubscriptionQuery,
} from './lists.ts';
import { type Call, type EventQuery, PAGE_SIZE, type Page } from './query.ts';
import { anyObject, listOf, pageOf } from './schema.ts';
import { resultsOf, type TriggerItem, triggerBody } from './trigger.ts';

type WriteOptions = { idempotencyKey: string };

export type NotificationService = ReturnType<typeof createNotificationService>;

export type EventReader = Pick<NotificationService, 'retrieveEvent' | 'eventPages' | 'clockAheadMs'>;

/** Methods resolve to null for what the service lacks, and reject with `ServiceError`, `InputError` or the signal's reason. */
export function createNotificationService(options: ClientOptions) {
  const environment = options.environment.name;
  const { ask, askPage, clockAheadMs, heldForMs } = createClient(options);

  /** A 404 means that the address isn't the service's. */
  function existing<Result>(result: Result | null, operation: string): Result {
    if (result === null) throw new ServiceError(environment, operation, { kind: 'gateway', status: 404 });
    return result;
  }

  const listEvents = async (query: EventQuery & { page?: number }, call: Call) =>
    existing(await askPage(eventsRequest(query, call), call), 'listEvents');

  return {
    retrieveEvent: async (id: string, call: Call) =>
      await ask({ ...eventRequest(id, EventBody), fieldsAsText: SENT_ON }, call),
    async eventAnswer(id: string, call: Call) {
      const answer = await ask(eventRequest(id, anyObject), call);
      return answer && (await maskedAnswer(answer));
    },
    listEvents,
    /** Without `before`, new events would push items from page to page (docs/service.md). */
    eventPages: (query: EventQuery & { before: Date; limit: number }, call: Call) =>
      walkEventPages((page) => listEvents({ ...query, page }, call), query.limit, environment),
    async listMessages(query: MessageQuery, call: Call) {
      const { transactionIds: transactionId, ...others } = query;
      const parameters = { ...others, transactionId, contextKeys: sorted(query.contextKeys) };
      const schema = pageOf(MessageBody, messageMisfits(query));
      const page = await askPage(getRequest('listMessages', '/v1/messages', parameters, schema), call);
      return query.subscriberId === undefined ? existing(page, 'listMessages') : page;
    },
    async messageContents(query: Pick<MessageQuery, 'subscriberId' | 'transactionIds'>, call: Call) {
      const { transactionIds: transactionId, subscriberId } = query;
      const parameters = { subscriberId, transactionId, limit: CONTENTS_READ };
      return await askPage(getRequest('listMessages', '/v1/messages', parameters, pageOf(ContentBody)), call);
    },
    async listIntegrations(call: Call) {
      const operation = getRequest('listIntegrations', '/v1/integrations', {}, listOf(IntegrationBody));
      return existing(await askPage(operation, call), operation.name);
    },
    async listTopicSubscriptions(topicKey: string, query: SubscriptionQuery, call: Call) {
      const path = `/v2/topics/${pathSegment(topicKey)}/subscriptions`;
      const schema = pageOf(SubscriptionBody, messageMisfits(query));
      return await askPage(getRequest('listTopicSubscriptions', path, query, schema), call);
    },
    async triggerEvents(items: readonly TriggerItem[], { idempotencyKey }: WriteOptions, call: Call) {
      const body = { events: items.map(triggerBody) };
      const schema = resultsOf(items.length);
      const operation = { name: 'triggerEvents', path: '/v1/events/trigger/bulk', body, schema };
      return existing(await ask({ ...operation, method: 'POST', idempotencyKey }, call), operation.name);
    },
    async updateCredentials(id: string, body: CredentialsUpdate, { idempotencyKey }: WriteOptions, call: Call) {
      const path = `/v1/subscribers/${pathSegment(id)}/credentials`;
      const operation = { name: 'updateCredentials', path, body, idempotencyKey, schema: UpdatedSubscriberBody };
      return await ask({ ...operation, method: 'PATCH' }, call);
    },
    clockAheadMs,
    heldForMs,
  };
}

const CONTENTS_READ = 100;

/** What is sent again is sent as it came. */
const SENT_ON = ['payload', 'overrides'];

const eventRequest = <Result>(id: string, schema: z.ZodType<Result>) =>
  getRequest('retrieveEvent', `/v1/notifications/${pathSegment(id)}`, {}, schema);

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

function getRequest<Result>(name: string, path: string, query: object, schema: z.ZodType<Result>): Operation<Result> {
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) {
    for (const single of [value].flat()) {
      if (single === undefined) continue;
      search.append(parameter, single instanceof Date ? single.toISOString() : String(single));
    }
  }
  return { name, method: 'GET', path: search.size === 0 ? path : `${path}?${search}`, schema };
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

const REPEATS = 'its pages repeat the same events';

const MOST_BY_ID = 20;

/** An event that is listed without steps costs a request, so only each `every`th is asked for. */
export const stepsBudget = (left = MOST_BY_ID) => ({ left, every: 1, turn: 0 });
export type StepsBudget = ReturnType<typeof stepsBudget>;

export function withSteps(listed: readonly TriggeredEvent[], service: EventReader, call: Call, budget: StepsBudget) {
  return Promise.all(
    listed.map(async (event) => {
      const isWhole = event.listsSteps && !event.jobs.some(lacksReason);
      const id = isWhole ? null : askableId(event.id);
      const isItsTurn = event.listsSteps || budget.turn++ % budget.every === 0;
      if (id === null || budget.left === 0 || !isItsTurn) return event;
      budget.left -= 1;
      const answer = await orServiceError(service.retrieveEvent(id, call));
      if (!(answer instanceof ServiceError)) return completed(event, answer);
      if (!mayBeAboutTheRequest(answer.problem)) budget.left = 0;
      return event;
    }),
  );
}

/** Some servers add other recipients' steps, so the list decides which belong to this event. */
export async function retrieveOwnSteps(
  id: string,
  service: Pick<NotificationService, 'retrieveEvent' | 'listEvents'>,
  call: Call,
) {
  const answer = await service.retrieveEvent(id, call);
  if (answer === null || !answer.listsSteps) return answer;
  const { transactionId, subscriber, createdAt } = answer;
  const query = {
    transactionId,
    ...(subscriber && { subscriberIds: [subscriber.subscriberId] }),
    ...(createdAt && { after: addSeconds(createdAt, -1), before: addSeconds(createdAt, 1) }),
    limit: PAGE_SIZE,
  };
  const page = await orServiceError(service.listEvents(query, call));
  const listed = page instanceof ServiceError ? undefined : page.items.find((event) => event.id === answer.id);
  if (listed?.listsSteps) return { ...answer, jobs: completed(listed, answer).jobs };
  return showsOneRecipient(answer) ? answer : { ...answer, jobs: [], listsSteps: false };
}
