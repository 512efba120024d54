import { z } from 'zod';
import { ApiError, usualRefusal } from './api-error.ts';
import type { Topic, TopicSubscription } from './entities.ts';
import type { OperationInput } from './operations.ts';
import { parameter, parse } from './validation.ts';
import type { World } from './world.ts';

const { text, integer } = parameter;
const SubscriptionQuery = z.strictObject({
  after: text,
  before: text,
  limit: integer('limit', 10, Number.NEGATIVE_INFINITY, 100),
  orderDirection: text,
  orderBy: text,
  subscriberId: text,
});

/** The service says no higher `totalCount`. */
const MOST_COUNTED = 50_000;

/** `GET /v2/topics/:topicKey/subscriptions`: paged by cursors, which are subscription IDs. `orderBy` is ignored, and so are odd values. */
export function listTopicSubscriptions(world: World, { path: [topicKey = ''], query }: OperationInput): object {
  const { after, before, limit: wantedLimit, orderDirection, subscriberId } = parse(SubscriptionQuery, query);
  const limit = wantedLimit > 0 ? wantedLimit : 10;
  const topic = world.topics.get(topicKey);
  if (!topic) throw new ApiError(404, `Topic with key ${topicKey} not found`);
  if (after !== undefined && before !== undefined)
    throw new ApiError(400, 'Cannot specify both "before" and "after" cursors at the same time.');
  const cursor = after ?? before;
  if (cursor !== undefined && !/^[0-9a-f]{24}$/i.test(cursor)) throw usualRefusal(500);
  const wanted = topic.subscriptions.filter((each) => subscriberId === undefined || each.subscriberId === subscriberId);
  const all = orderDirection === 'ASC' ? wanted : wanted.toReversed();
  const place = all.findIndex(({ _id }) => _id === cursor);
  if (cursor !== undefined && place < 0)
    return { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
  const end = before === undefined ? all.length : place;
  const first = before === undefined ? place + 1 : Math.max(0, end - limit);
  const page = all.slice(first, Math.min(first + limit, end));
  return {
    data: page.map((subscription) => shownSubscription(world, topic, subscription)),
    next: first + limit < all.length ? (page.at(-1)?._id ?? null) : null,
    previous: first > 0 ? (page[0]?._id ?? null) : null,
    totalCount: Math.min(all.length, MOST_COUNTED),
    totalCountCapped: all.length > MOST_COUNTED,
  };
}

function shownSubscription(world: World, topic: Topic, { _id, createdAt, subscriberId }: TopicSubscription): object {
  const { subscriptions: _, ...shownTopic } = topic;
  const { _id: personId, firstName, lastName, email, deleted } = world.subscriber(subscriberId);
  const subscriber = deleted ? null : { _id: personId, subscriberId, firstName, lastName, email };
  return { _id, createdAt, topic: shownTopic, subscriber };
}
