import { z } from 'zod';
import { fold } from '../lib/fold.ts';
import type { FilterKey } from '../lib/input/filters.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { MessageQuery } from './lists.ts';
import type { EventQuery, MisfitsOf } from './query.ts';
import { all, optional, text, time } from './schema.ts';

type Values = string | readonly string[] | null | undefined;

/** An item that doesn't show a value fits. */
function isAmong(wanted: Values, shown: Values) {
  return !wanted?.length || shown == null || [shown].flat().some((value) => [wanted].flat().includes(value));
}

const whole = (keys: readonly string[] | null | undefined) => keys && [...new Set(keys)].sort().join('\n');

/** Clocks and roundings may differ by a minute. */
function isInOrder(earlier: Date | null | undefined, later: Date | null | undefined) {
  return !earlier || !later || earlier.getTime() <= later.getTime() + MINUTE_MS;
}

const texts = optional(z.array(z.string()));
const Shown = z.object({
  ...all(text, 'transactionId', 'severity', '_templateId', 'channel'),
  ...all(texts, 'channels', 'contextKeys'),
  topics: optional(z.array(z.object({ topicKey: z.string() }).transform(({ topicKey }) => topicKey))),
  subscriber: optional(z.object({ subscriberId: text, email: text })),
  createdAt: time,
});

type Shown = z.output<typeof Shown>;
type Check<Query> = readonly [FilterKey, fits: (query: Query, item: Shown) => boolean];

/** Services ignore filters that they don't know, so each listed item is compared with the query. */
function misfitsBy<Query>(...checks: readonly Check<Query>[]) {
  return (query: Query): MisfitsOf =>
    (value) => {
      const { data: item } = Shown.safeParse(value);
      return item === undefined ? [] : checks.flatMap(([filter, fits]) => (fits(query, item) ? [] : filter));
    };
}

export const eventMisfits = misfitsBy<EventQuery>(
  ['tx', ({ transactionId }, event) => isAmong(transactionId, event.transactionId)],
  ['workflow', ({ workflowIds }, event) => isAmong(workflowIds, event._templateId)],
  ['channel', ({ channels }, event) => isAmong(channels, event.channels)],
  ['severity', ({ severity }, event) => isAmong(severity, event.severity)],
  ['topic', ({ topicKey }, event) => isAmong(topicKey, event.topics)],
  ['context', ({ contextKeys }, event) => isAmong(whole(contextKeys), whole(event.contextKeys))],
  ['subscriber', (query, event) => !query.subscriberIds?.length || isSought(query, event)],
  ['email', (query, event) => !query.emails?.length || isSought(query, event)],
  ['since', ({ after }, { createdAt }) => isInOrder(after, createdAt)],
  ['until', ({ before }, { createdAt }) => isInOrder(createdAt, before)],
);

/** The service finds whoever fits one of these. Matches of `search` can't be verified. */
function isSought({ search, emails, subscriberIds }: EventQuery, { subscriber }: Shown) {
  if (search || !subscriber) return true;
  if (!emails?.length) return isAmong(subscriberIds, subscriber.subscriberId);
  const isNamed = !!subscriberIds?.length && isAmong(subscriberIds, subscriber.subscriberId);
  return isNamed || isAmong(emails.map(fold), subscriber.email && fold(subscriber.email));
}

/** Of messages, and by `subscriberId` of subscriptions. */
export const messageMisfits = misfitsBy<MessageQuery>(
  ['channel', (query, message) => isAmong(query.channel, message.channel)],
  ['subscriber', ({ subscriberId }, { subscriber }) => isAmong(subscriberId, subscriber?.subscriberId)],
  ['tx', ({ transactionIds }, message) => isAmong(transactionIds, message.transactionId)],
  ['context', ({ contextKeys }, message) => isAmong(whole(contextKeys), whole(message.contextKeys))],
);
