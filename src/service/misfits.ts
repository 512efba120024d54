import { z } from 'zod';
import { fold } from '../lib/fold.ts';
import type { FilterKey } from '../lib/input/filters.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { topicKey } from './lists.ts';
import type { EventQuery, MessageQuery, MisfitsOf } from './query.ts';
import { date, fields, optional, text } from './schema.ts';

type Values = string | readonly string[] | null | undefined;

/** An item that doesn't show a value fits. */
function isAmong(wanted: Values, shown: Values) {
  return !wanted?.length || shown == null || [shown].flat().some((value) => [wanted].flat().includes(value));
}

const joined = (keys: readonly string[] | null | undefined) => keys && [...new Set(keys)].sort().join('\n');

/** Clocks and roundings may differ by a minute. */
function isInOrder(earlier: Date | null | undefined, later: Date | null | undefined) {
  return !earlier || !later || earlier.getTime() <= later.getTime() + MINUTE_MS;
}

const optionalTexts = optional(z.array(z.string()));

const Shown = z.object({
  ...fields(text, 'transactionId', 'severity', '_templateId', 'channel'),
  ...fields(optionalTexts, 'channels', 'contextKeys'),
  topics: optional(z.array(topicKey)),
  subscriber: optional(z.object({ subscriberId: text, email: text })),
  createdAt: date,
});

type Shown = z.output<typeof Shown>;
type Check<Query> = readonly [FilterKey, fits: (query: Query, item: Shown) => boolean];

const NO_FILTERS = ['limit', 'page', 'search', 'orderDirection'];

/** Services ignore unknown filters, so items are compared with the query. */
function misfitsBy<Query extends object>(...checks: readonly Check<Query>[]) {
  return (query: Query): MisfitsOf => {
    const filters = Object.entries(query).filter(([name, value]) => value !== undefined && !NO_FILTERS.includes(name));
    if (filters.length === 0) return () => [];
    return (value) => {
      const { data: item } = Shown.safeParse(value);
      return item === undefined ? [] : checks.flatMap(([filter, fits]) => (fits(query, item) ? [] : filter));
    };
  };
}

export const eventMisfits = misfitsBy<EventQuery>(
  ['tx', ({ transactionId }, event) => isAmong(transactionId, event.transactionId)],
  ['workflow', ({ workflowIds }, event) => isAmong(workflowIds, event._templateId)],
  ['channel', ({ channels }, event) => isAmong(channels, event.channels)],
  ['severity', ({ severity }, event) => isAmong(severity, event.severity)],
  ['topic', ({ topicKey }, event) => isAmong(topicKey, event.topics)],
  ['context', ({ contextKeys }, event) => isAmong(joined(contextKeys), joined(event.contextKeys))],
  ['subscriber', (query, event) => !query.subscriberIds?.length || fitsRecipients(query, event)],
  ['email', (query, event) => !query.emails?.length || fitsRecipients(query, event)],
  ['since', ({ after }, { createdAt }) => isInOrder(after, createdAt)],
  ['until', ({ before }, { createdAt }) => isInOrder(createdAt, before)],
);

/** Emails and subscriber IDs are alternatives. Whether `search` matches can't be verified. */
function fitsRecipients({ search, emails, subscriberIds }: EventQuery, { subscriber }: Shown) {
  if (search || !subscriber) return true;
  if (!emails?.length) return isAmong(subscriberIds, subscriber.subscriberId);
  const isNamed = !!subscriberIds?.length && isAmong(subscriberIds, subscriber.subscriberId);
  return isNamed || isAmong(emails.map(fold), subscriber.email && fold(subscriber.email));
}

export const messageMisfits = misfitsBy<MessageQuery>(
  ['channel', (query, message) => isAmong(query.channel, message.channel)],
  ['subscriber', ({ subscriberId }, { subscriber }) => isAmong(subscriberId, subscriber?.subscriberId)],
  ['tx', ({ transactionIds }, message) => isAmong(transactionIds, message.transactionId)],
  ['context', ({ contextKeys }, message) => isAmong(joined(contextKeys), joined(message.contextKeys))],
);
