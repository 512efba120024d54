import { z } from 'zod';
import type { Subscriber, Topic, TopicSubscription } from '../entities.ts';
import { ApiError } from '../http.ts';
import type { OperationInput } from '../operations.ts';
import { parameter, parse } from '../validation.ts';
import type { World } from '../world.ts';

/** `GET /v1/integrations`: those of every environment of the organization, with credentials, as in the real service. */
export function listIntegrations(world: World, { query }: OperationInput): unknown {
  parse(z.strictObject({}), query);
  return world.integrations;
}

const SubscriptionQuery = z.strictObject({
  after: parameter.text('after'),
  limit: parameter.integer('limit', { min: 1, max: 100, fallback: 10 }),
  orderDirection: parameter.oneOf('orderDirection', ['ASC', 'DESC']),
  orderBy: parameter.text('orderBy'),
  subscriberId: parameter.text('subscriberId'),
});
type SubscriptionQuery = z.infer<typeof SubscriptionQuery>;

interface SubscriptionPage {
  data: { _id: string; createdAt: string; topic: object; subscriber: object | null }[];
  next: string | null;
  previous: string | null;
  totalCount: number;
  totalCountCapped: boolean;
}

const MOST_COUNTED = 50_000;

/** `GET /v2/topics/:topicKey/subscriptions`: paged by cursors, which are subscription IDs. `orderBy` is ignored. */
export function listTopicSubscriptions(
  world: World,
  { path: [topicKey = ''], query }: OperationInput,
): SubscriptionPage {
  const wanted = parse(SubscriptionQuery, query);
  const topic = world.topics.get(topicKey);
  if (!topic) throw new ApiError(404, `Topic not found for key ${topicKey}`);
  const all = inOrder(topic, wanted);
  const { after, limit } = wanted;
  const first = after === undefined ? 0 : all.findIndex(({ _id }) => _id === after) + 1;
  // The service returns an empty page if the cursor's subscription no longer exists.
  if (after !== undefined && first === 0)
    return { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
  const page = all.slice(first, first + limit);
  return {
    data: page.map((subscription) => subscriptionOnTheWire(world, topic, subscription)),
    next: first + limit < all.length ? (page.at(-1)?._id ?? null) : null,
    previous: first > 0 ? (page[0]?._id ?? null) : null,
    totalCount: Math.min(all.length, MOST_COUNTED),
    totalCountCapped: all.length > MOST_COUNTED,
  };
}

function inOrder(topic: Topic, { subscriberId, orderDirection = 'DESC' }: SubscriptionQuery): TopicSubscription[] {
  const all = topic.subscriptions.filter((item) => subscriberId === undefined || item.subscriberId === subscriberId);
  return orderDirection === 'ASC' ? all : all.reverse();
}

function subscriptionOnTheWire(world: World, topic: Topic, { _id, createdAt, subscriberId }: TopicSubscription) {
  const { key, name, updatedAt } = topic;
  return {
    _id,
    createdAt,
    topic: { _id: topic._id, key, name, createdAt: topic.createdAt, updatedAt },
    subscriber: summaryOf(world.subscriber(subscriberId)),
  };
}

/** A subscription can outlive its subscriber. */
function summaryOf({ _id, subscriberId, avatar, firstName, lastName, email, deleted }: Subscriber): object | null {
  return deleted ? null : { _id, subscriberId, avatar, firstName, lastName, email };
}
