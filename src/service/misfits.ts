import { z } from 'zod';
import { fold } from '../lib/fold.ts';
import type { FilterKey } from '../lib/input/filters.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { MessageQuery, SubscriptionQuery } from './lists.ts';
import type { EventQuery, MisfitsOf } from './query.ts';
import { all, optional, text, time } from './schema.ts';

type Checks<Query, Item> = { [Key in FilterKey]?: (query: Query, item: Item) => boolean };

/** Services ignore filters that they don't know, so each item that they list is compared with the query. */
function misfitsBy<Query, Item>(Body: z.ZodType<Item>, checks: Checks<Query, Item>) {
  return (query: Query): MisfitsOf => {
    const filters = Object.entries(checks) as [FilterKey, (query: Query, item: Item) => boolean][];
    return (item) => {
      const { data } = Body.safeParse(item);
      return data === undefined ? [] : filters.filter(([, fits]) => !fits(query, data)).map(([filter]) => filter);
    };
  };
}

type Values = string | readonly string[] | null | undefined;

/** What wasn't asked for fits, and so does an item that doesn't show it. */
function isAmong(wanted: Values, shown: Values): boolean {
  if (wanted === undefined || wanted?.length === 0 || shown == null) return true;
  const values = new Set([wanted ?? []].flat());
  return [shown].flat().some((value) => values.has(value));
}

/** Context keys match as a whole. */
function isSame(wanted: Values, shown: Values): boolean {
  const inOrder = (values: Values) => JSON.stringify([...new Set([values ?? []].flat())].sort());
  return wanted === undefined || wanted?.length === 0 || shown == null || inOrder(wanted) === inOrder(shown);
}

/** Clocks and roundings may differ by less. */
const TOLERANCE_MS = MINUTE_MS;

function isInOrder(earlier: Date | null | undefined, later: Date | null | undefined): boolean {
  return earlier == null || later == null || earlier.getTime() <= later.getTime() + TOLERANCE_MS;
}

const texts = optional(z.array(z.string()));
const Person = z.object({ subscriberId: text, email: text });
const Named = z.object({ subscriber: optional(Person) });
const EventFacts = Named.extend({
  ...all(text, 'transactionId', 'severity', '_templateId'),
  ...all(texts, 'channels', 'contextKeys'),
  topics: optional(z.array(z.object({ topicKey: z.string() }))),
  to: optional(Person),
  createdAt: time,
}).transform(({ subscriber, to, topics, ...event }) => {
  return { ...event, person: subscriber ?? to, topicKeys: topics?.map(({ topicKey }) => topicKey) };
});

export const eventMisfits = misfitsBy<EventQuery, z.output<typeof EventFacts>>(EventFacts, {
  tx: ({ transactionId }, event) => isAmong(transactionId, event.transactionId),
  workflow: ({ workflowIds }, event) => isAmong(workflowIds, event._templateId),
  channel: ({ channels }, event) => isAmong(channels, event.channels),
  severity: ({ severity }, event) => isAmong(severity, event.severity),
  topic: ({ topicKey }, event) => isAmong(topicKey, event.topicKeys),
  context: ({ contextKeys }, event) => isSame(contextKeys, event.contextKeys),
  // The service finds whoever fits one of these.
  subscriber: ({ subscriberIds, emails = [], search }, { person }) =>
    emails.length > 0 || search !== undefined || isAmong(subscriberIds, person?.subscriberId),
  email: ({ subscriberIds = [], emails, search }, { person }) =>
    search !== undefined ||
    subscriberIds.includes(person?.subscriberId ?? '') ||
    isAmong(emails?.map(fold), person?.email && fold(person.email)),
  since: ({ after }, { createdAt }) => isInOrder(after, createdAt),
  until: ({ before }, { createdAt }) => isInOrder(createdAt, before),
});

const MessageFacts = Named.extend({ ...all(text, 'channel', 'transactionId'), contextKeys: texts });

export const messageMisfits = misfitsBy<MessageQuery, z.output<typeof MessageFacts>>(MessageFacts, {
  channel: (query, message) => isAmong(query.channel, message.channel),
  subscriber: ({ subscriberId }, { subscriber }) => isAmong(subscriberId, subscriber?.subscriberId),
  tx: ({ transactionIds }, message) => isAmong(transactionIds, message.transactionId),
  context: ({ contextKeys }, message) => isSame(contextKeys, message.contextKeys),
});

export const subscriptionMisfits = misfitsBy<SubscriptionQuery, z.output<typeof Named>>(Named, {
  subscriber: ({ subscriberId }, { subscriber }) => isAmong(subscriberId, subscriber?.subscriberId),
});
