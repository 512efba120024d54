import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { ServiceError, type ServiceProblem } from '../lib/errors.ts';
import { aSubscription } from '../service/subscription.testing.ts';
import type { SubscriptionPage, SubscriptionQuery } from '../service/subscription.ts';
import { listSubscriptions, type SubscriptionReader, type TopicQuestion } from './lists.ts';

const PRODUCTION = anEnvironment();
const NO_TOPIC: SubscriptionReader = { listTopicSubscriptions: async () => null };

function aTopic(asked: SubscriptionQuery[] = []): SubscriptionReader {
  return {
    listTopicSubscriptions: async (_, query) => {
      asked.push(query);
      const [items, unreadable] = [[aSubscription()], [{ key: 'x', createdAt: null }]];
      const place = { hasMore: true, next: 'n' };
      return { items, unreadable, ...place, totalCount: 50_000, totalCountCapped: true };
    },
  };
}

function refusing(problem: ServiceProblem): SubscriptionReader {
  const error = new ServiceError('production', 'listTopicSubscriptions', problem);
  return { listTopicSubscriptions: () => Promise.reject(error) };
}

function ask(readers: Readonly<Record<string, SubscriptionReader>>, change: Partial<TopicQuestion> = {}) {
  const question: TopicQuestion = {
    topicKey: 'launch',
    subscriberId: null,
    order: 'newest',
    after: null,
    ...change,
  };
  return listSubscriptions(question, PRODUCTION, readers[PRODUCTION.name] ?? NO_TOPIC);
}

describe('a page of subscriptions', () => {
  test('has its topic, where it goes on, and the minimum total count', async () => {
    expect(await ask({ production: aTopic() })).toMatchObject({
      found: 'subscriptions',
      topic: { key: 'launch', name: 'Launch news' },
      unreadable: 1,
      next: 'n',
      totalCount: 50_000,
      isCapped: true,
    });
  });

  test.each<[string, Partial<TopicQuestion>, SubscriptionQuery]>([
    ['at the start', {}, {}],
    ['of one subscriber', { subscriberId: 'user-1' }, { subscriberId: 'user-1' }],
    ['the oldest first', { order: 'oldest' }, { orderDirection: 'ASC' }],
    ['after a cursor', { after: { cursor: 'c', before: 100 } }, { after: 'c' }],
  ])('is requested %s', async (_, change, parameters) => {
    const asked: SubscriptionQuery[] = [];
    await ask({ production: aTopic(asked) }, change);
    expect(asked).toEqual([{ limit: 100, orderBy: 'createdAt', orderDirection: 'DESC', ...parameters }]);
  });
});

test('reports an unknown topic', async () => {
  expect(await ask({})).toMatchObject({ found: 'no-topic' });
});

describe('what follows a page without a cursor', () => {
  const page = { items: [aSubscription()], unreadable: [], hasMore: false, next: null };
  const answering = (change: Partial<SubscriptionPage>): SubscriptionReader => ({
    listTopicSubscriptions: async () => ({
      ...{ ...page, totalCount: null, totalCountCapped: false },
      ...change,
    }),
  });

  test.each<[string, Partial<SubscriptionPage>, boolean]>([
    ['is nothing without a count', {}, false],
    ['is nothing by the count', { totalCount: 1 }, false],
    ['is unread by the count', { totalCount: 2 }, true],
    ['is unread if the count is capped', { totalCount: 1, totalCountCapped: true }, true],
  ])('%s', async (_, change, isRestUnread) => {
    expect(await ask({ production: answering(change) })).toMatchObject({ isRestUnread });
  });
});

test("rejects with the service's error", async () => {
  const production = refusing({ kind: 'refused', status: 400, message: 'Invalid cursor', fields: [] });
  await expect(ask({ production })).rejects.toBeInstanceOf(ServiceError);
});
