import type { Environment } from '../lib/environment.ts';
import type { Message, MessagePage, MessageQuery } from '../service/message.ts';
import type { Call } from '../service/query.ts';
import type { SubscriptionPage, SubscriptionQuery, Topic, TopicSubscription } from '../service/subscription.ts';

/** The most subscriptions that the service lists at once. */
const SUBSCRIPTIONS_READ = 100;

export const ORDERS = ['newest', 'oldest'] as const;

/** What to list of a topic (contract, operation 2). */
export interface TopicQuestion {
  readonly topicKey: string;
  readonly subscriberId: string | null;
  readonly order: (typeof ORDERS)[number];
  /** Where the list goes on: after the service's cursor, which `before` subscriptions precede. Null for its start. */
  readonly after: { readonly cursor: string; readonly before: number } | null;
}

export type TopicFound = FoundSubscriptions | FoundNoTopic;

interface AboutTopic {
  readonly environment: Environment;
  readonly question: TopicQuestion;
}

export interface FoundSubscriptions extends AboutTopic {
  readonly found: 'subscriptions';
  /** Null if none is listed. */
  readonly topic: Topic | null;
  readonly items: readonly TopicSubscription[];
  readonly unreadable: number;
  readonly next: string | null;
  /** Whether more may follow, or does by the count, although the service gave no cursor to read it. */
  readonly isRestUnread: boolean;
  /** Null if the service does not count; `isCapped`: there are more. */
  readonly totalCount: number | null;
  readonly isCapped: boolean;
}

/** The service has no such topic. */
export interface FoundNoTopic extends AboutTopic {
  readonly found: 'no-topic';
}

export interface SubscriptionReader {
  listTopicSubscriptions(topicKey: string, query: SubscriptionQuery, call: Call): Promise<SubscriptionPage | null>;
}

const CALL: Call = { who: 'person' };

/** Throws `ServiceError`, or `InputError` for a key that no path can hold. */
export async function listSubscriptions(
  question: TopicQuestion,
  environment: Environment,
  service: SubscriptionReader,
): Promise<TopicFound> {
  const request = { environment, question };
  const { subscriberId, order, after } = question;
  const query: SubscriptionQuery = {
    limit: SUBSCRIPTIONS_READ,
    // The contract leaves the default order open.
    orderBy: 'createdAt',
    orderDirection: order === 'newest' ? 'DESC' : 'ASC',
    ...(subscriberId !== null && { subscriberId }),
    ...(after !== null && { after: after.cursor }),
  };
  const page = await service.listTopicSubscriptions(question.topicKey, query, CALL);
  if (page === null) return { found: 'no-topic', ...request };
  const { items, unreadable, next, totalCount, totalCountCapped } = page;
  return {
    found: 'subscriptions',
    ...request,
    topic: items[0]?.topic ?? null,
    ...{ items, unreadable: unreadable.length, next, totalCount },
    isCapped: totalCountCapped,
    isRestUnread: isRestUnread(page, question),
  };
}

/** The count decides where it can: at the start of the whole list. */
function isRestUnread(
  { items, unreadable, next, totalCount, totalCountCapped }: SubscriptionPage,
  { after, subscriberId }: TopicQuestion,
): boolean {
  if (next !== null || after !== null || subscriberId !== null || totalCount === null) return false;
  return totalCountCapped || totalCount > items.length + unreadable.length;
}

/** How many messages are read at once (field notes, "Lists": the service takes a limit up to 1,000). */
const MESSAGES_READ = 100;

/** Which messages to list (contract, operation 4). Empty: all of them. */
export interface MessageFilter {
  readonly channel: string | null;
  readonly subscriberId: string | null;
  readonly transactionIds: readonly string[];
  /** Each `type:id`; a message must have exactly these. */
  readonly contextKeys: readonly string[];
}

export const ALL_MESSAGES: MessageFilter = { channel: null, subscriberId: null, transactionIds: [], contextKeys: [] };

export type MessagesFound = FoundMessages | FoundNoSubscriber;

export interface FoundMessages {
  readonly found: 'messages';
  readonly environment: Environment;
  readonly filter: MessageFilter;
  readonly offset: number;
  readonly items: readonly Message[];
  readonly unreadable: number;
  /** Null if these are the last. */
  readonly totalCount: number | null;
  /** Where the next ones begin; null if these are the last. */
  readonly next: number | null;
}

/** The service has no such subscriber. */
export interface FoundNoSubscriber {
  readonly found: 'no-subscriber';
  readonly environment: Environment;
  readonly filter: MessageFilter;
}

export interface MessageReader {
  listMessages(query: MessageQuery, call: Call): Promise<MessagePage | null>;
}

/** `offset` counts from 0. Throws `ServiceError`. */
export async function listMessages(
  filter: MessageFilter,
  offset: number,
  environment: Environment,
  service: MessageReader,
): Promise<MessagesFound> {
  const page = Math.floor(offset / MESSAGES_READ);
  const { channel, subscriberId, transactionIds, contextKeys } = filter;
  const query = {
    ...(channel !== null && { channel }),
    ...(subscriberId !== null && { subscriberId }),
    ...{ transactionIds, contextKeys, page, limit: MESSAGES_READ },
  };
  const found = await service.listMessages(query, CALL);
  if (found === null) return { found: 'no-subscriber', environment, filter };
  const { items, unreadable, hasMore, totalCount } = found;
  const end = page * MESSAGES_READ + items.length + unreadable.length;
  return {
    found: 'messages',
    environment,
    filter,
    offset,
    items: items.slice(offset - page * MESSAGES_READ),
    unreadable: unreadable.length,
    totalCount,
    next: hasMore && (totalCount === null || end < totalCount) ? (page + 1) * MESSAGES_READ : null,
  };
}
