import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import {
  type FoundSubscriptions,
  type PagePosition,
  SUBSCRIPTIONS_A_PAGE,
  type TopicFound,
  type TopicQuestion,
} from '../../domain/lookups/topic-found.ts';
import type { Call } from '../../domain/service/query.ts';
import type { SubscriptionPage, SubscriptionQuery } from '../../domain/service/subscription.ts';
import { type AskElsewhereParts, askElsewhere } from './ask-elsewhere.ts';

export interface SubscriptionReader {
  listTopicSubscriptions(topicKey: string, query: SubscriptionQuery, call: Call): Promise<SubscriptionPage | null>;
}

export interface ListSubscriptionsParts extends AskElsewhereParts {
  readonly environment: Environment;
  readonly serviceOf: (environment: string) => SubscriptionReader;
}

const CALL: Call = { who: 'person' };

/** Returns a page of a topic's subscriptions. Throws `ServiceError` if it can't be read, `InputError` for a key that no path can hold. */
export async function listSubscriptions(question: TopicQuestion, parts: ListSubscriptionsParts): Promise<TopicFound> {
  const { environment, serviceOf } = parts;
  const asked = { environment, question };
  try {
    const page = await serviceOf(environment.name).listTopicSubscriptions(question.topicKey, queryOf(question), CALL);
    if (page === null) return { found: 'no-topic', ...asked, elsewhere: await knownElsewhere(question, parts) };
    if (isNowhere(page, question.place)) return { found: 'no-place', ...asked };
    const { items, unreadable, next, previous, totalCount, totalCountCapped } = page;
    return {
      found: 'subscriptions',
      ...asked,
      topic: items[0]?.topic ?? null,
      ...{ items, unreadable: unreadable.length, next, previous, totalCount },
      isCapped: totalCountCapped,
      unreadSides: unreadSides(page, question),
    };
  } catch (error) {
    if (isPlaceRefused(error, question.place)) return { found: 'no-place', ...asked };
    throw error;
  }
}

/** The count decides where it can: at the start of the whole list. */
function unreadSides(
  { items, unreadable, next, totalCount, totalCountCapped, oddCursors }: SubscriptionPage,
  { place, subscriberId }: TopicQuestion,
): FoundSubscriptions['unreadSides'] {
  if (place.at !== 'start' || subscriberId !== null || totalCount === null || next !== null) return oddCursors;
  const isAll = !totalCountCapped && totalCount <= items.length + unreadable.length;
  return isAll ? [] : ['next'];
}

/** Sorts by time explicitly, because the contract leaves the default order open. */
function queryOf({ subscriberId, order, place }: TopicQuestion): SubscriptionQuery {
  return {
    limit: SUBSCRIPTIONS_A_PAGE,
    orderBy: 'createdAt',
    orderDirection: order === 'newest' ? 'DESC' : 'ASC',
    ...(subscriberId !== null && { subscriberId }),
    ...cursorOf(place),
  };
}

function cursorOf(place: PagePosition): SubscriptionQuery {
  switch (place.at) {
    case 'start':
      return {};
    case 'after':
      return { after: place.cursor };
    case 'before':
      return { before: place.cursor };
    case 'from':
      return { after: place.cursor, includeCursor: true };
  }
}

/** The place is gone if the service refuses its cursor like any invalid parameter … */
function isPlaceRefused(error: unknown, { at }: PagePosition): boolean {
  return error instanceof ServiceError && error.problem.kind === 'refused' && at !== 'start';
}

/** … or answers as if the topic were empty, like the public implementation. */
function isNowhere({ items, unreadable, totalCount }: SubscriptionPage, { at }: PagePosition): boolean {
  return at !== 'start' && items.length + unreadable.length + (totalCount ?? 0) === 0;
}

function knownElsewhere({ topicKey }: TopicQuestion, parts: ListSubscriptionsParts): Promise<Environment[]> {
  const knows = async (name: string, call: Call) =>
    (await parts.serviceOf(name).listTopicSubscriptions(topicKey, { limit: 1 }, call)) !== null;
  return askElsewhere(knows, parts.environment, parts);
}
