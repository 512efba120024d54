import type { Environment } from '../lib/environment.ts';
import type { Call } from '../service/query.ts';
import type { SubscriptionPage, SubscriptionQuery, Topic, TopicSubscription } from '../service/subscription.ts';

/** The most subscriptions that the service lists at once. */
const SUBSCRIPTIONS_READ = 100;

export const ORDERS = ['newest', 'oldest'] as const;

export type SubscriptionOrder = (typeof ORDERS)[number];

/** What to list of a topic (contract, operation 2). */
export interface TopicQuestion {
  readonly topicKey: string;
  readonly subscriberId: string | null;
  readonly order: SubscriptionOrder;
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
  const page = await service.listTopicSubscriptions(question.topicKey, queryOf(question), CALL);
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

/** Sorts by time explicitly, because the contract leaves the default order open. */
function queryOf({ subscriberId, order, after }: TopicQuestion): SubscriptionQuery {
  return {
    limit: SUBSCRIPTIONS_READ,
    orderBy: 'createdAt',
    orderDirection: order === 'newest' ? 'DESC' : 'ASC',
    ...(subscriberId !== null && { subscriberId }),
    ...(after !== null && { after: after.cursor }),
  };
}
