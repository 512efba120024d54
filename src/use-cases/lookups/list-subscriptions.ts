import type { Environment } from '../../domain/environment.ts';
import { SUBSCRIPTIONS_READ, type TopicFound, type TopicQuestion } from '../../domain/lookups/topic-found.ts';
import type { Call } from '../../domain/service/query.ts';
import type { SubscriptionPage, SubscriptionQuery } from '../../domain/service/subscription.ts';

export interface SubscriptionReader {
  listTopicSubscriptions(topicKey: string, query: SubscriptionQuery, call: Call): Promise<SubscriptionPage | null>;
}

export interface ListSubscriptionsParts {
  readonly environment: Environment;
  readonly serviceOf: (environment: string) => SubscriptionReader;
}

const CALL: Call = { who: 'person' };

/** Throws `ServiceError`, or `InputError` for a key that no path can hold. */
export async function listSubscriptions(question: TopicQuestion, parts: ListSubscriptionsParts): Promise<TopicFound> {
  const { environment, serviceOf } = parts;
  const asked = { environment, question };
  const page = await serviceOf(environment.name).listTopicSubscriptions(question.topicKey, queryOf(question), CALL);
  if (page === null) return { found: 'no-topic', ...asked };
  const { items, unreadable, next, totalCount, totalCountCapped } = page;
  return {
    found: 'subscriptions',
    ...asked,
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
