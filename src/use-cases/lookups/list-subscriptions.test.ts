import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { ServiceError, type ServiceProblem } from '../../domain/errors.ts';
import type { PagePosition, TopicQuestion } from '../../domain/lookups/topic-found.ts';
import { aSubscription } from '../../domain/service/subscription.testing.ts';
import type { SubscriptionPage, SubscriptionQuery } from '../../domain/service/subscription.ts';
import { listSubscriptions, type SubscriptionReader } from './list-subscriptions.ts';

const PRODUCTION = anEnvironment();
const STAGING = anEnvironment({ name: 'staging', label: 'staging' });
const NO_TOPIC: SubscriptionReader = { listTopicSubscriptions: async () => null };

function aTopic(asked: SubscriptionQuery[] = []): SubscriptionReader {
  return {
    listTopicSubscriptions: async (_, query) => {
      asked.push(query);
      const [items, unreadable] = [[aSubscription()], [{ key: 'x', createdAt: null }]];
      const place = { hasMore: true, next: 'n', previous: 'p', oddCursors: [] };
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
    place: { at: 'start' },
    ...change,
  };
  return listSubscriptions(question, {
    environment: PRODUCTION,
    environments: [PRODUCTION, STAGING],
    serviceOf: (name) => readers[name] ?? NO_TOPIC,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
}

describe('a page of subscriptions', () => {
  test('has its topic, its neighbor pages, and the minimum total count', async () => {
    expect(await ask({ production: aTopic() })).toMatchObject({
      found: 'subscriptions',
      topic: { key: 'launch', name: 'Launch news' },
      unreadable: 1,
      next: 'n',
      previous: 'p',
      totalCount: 50_000,
      isCapped: true,
    });
  });

  test.each<[string, Partial<TopicQuestion>, SubscriptionQuery]>([
    ['at the start', {}, {}],
    ['of one subscriber', { subscriberId: 'user-1' }, { subscriberId: 'user-1' }],
    ['the oldest first', { order: 'oldest' }, { orderDirection: 'ASC' }],
    ['after a cursor', { place: { at: 'after', cursor: 'c' } }, { after: 'c' }],
    ['before a cursor', { place: { at: 'before', cursor: 'c' } }, { before: 'c' }],
    ['from a subscription on', { place: { at: 'from', cursor: 'c' } }, { after: 'c', includeCursor: true }],
  ])('is requested %s', async (_, change, parameters) => {
    const asked: SubscriptionQuery[] = [];
    await ask({ production: aTopic(asked) }, change);
    expect(asked).toEqual([{ limit: 10, orderBy: 'createdAt', orderDirection: 'DESC', ...parameters }]);
  });
});

test('reports an unknown topic, and the environments that have it', async () => {
  expect(await ask({ staging: aTopic() })).toMatchObject({ found: 'no-topic', elsewhere: [STAGING] });
  expect(await ask({})).toMatchObject({ found: 'no-topic', elsewhere: [] });
});

const PLACES: PagePosition[] = [
  { at: 'after', cursor: 'c' },
  { at: 'before', cursor: 'c' },
  { at: 'from', cursor: 'c' },
];

describe('what follows a page without a cursor', () => {
  const page = { items: [aSubscription()], unreadable: [], hasMore: false, next: null, previous: null };
  const answering = (change: Partial<SubscriptionPage>): SubscriptionReader => ({
    listTopicSubscriptions: async () => ({
      ...{ ...page, oddCursors: [], totalCount: null, totalCountCapped: false },
      ...change,
    }),
  });

  test.each<[string, Partial<SubscriptionPage>, string[]]>([
    ['is nothing without a count', {}, []],
    ['is nothing by the count, whatever the cursor is', { totalCount: 1, oddCursors: ['next'] }, []],
    ['is unread with an odd cursor', { oddCursors: ['next'] }, ['next']],
    ['is unread by the count', { totalCount: 2 }, ['next']],
    ['is unread if the count is capped', { totalCount: 1, totalCountCapped: true }, ['next']],
  ])('%s', async (_, change, unreadSides) => {
    expect(await ask({ production: answering(change) })).toMatchObject({ unreadSides });
  });

  test('is unread with an odd cursor on later pages, whatever the count', async () => {
    const production = answering({ totalCount: 1, oddCursors: ['previous', 'next'] });
    const place = { at: 'after', cursor: 'c' } as const;
    expect(await ask({ production }, { place })).toMatchObject({ unreadSides: ['previous', 'next'] });
  });
});

describe('an empty page', () => {
  const empty = {
    items: [],
    unreadable: [],
    hasMore: false,
    next: null,
    previous: null,
    oddCursors: [],
    totalCountCapped: false,
  };
  const answering = (totalCount: number | null): SubscriptionReader => ({
    listTopicSubscriptions: async () => ({ ...empty, totalCount }),
  });

  test.each(PLACES)('of an empty list means that the place is gone: $at', async (place) => {
    expect(await ask({ production: answering(0) }, { place })).toMatchObject({ found: 'no-place' });
    expect(await ask({ production: answering(null) }, { place })).toMatchObject({ found: 'no-place' });
  });

  test('is valid at the start, or in a list that has other subscribers', async () => {
    const [place] = PLACES;
    expect(await ask({ production: answering(0) })).toMatchObject({ found: 'subscriptions', items: [] });
    expect(await ask({ production: answering(3) }, place && { place })).toMatchObject({ found: 'subscriptions' });
  });
});

describe('a refused request', () => {
  const refused: ServiceProblem = { kind: 'refused', status: 400, message: 'Invalid cursor', fields: [] };

  test.each(PLACES)('at a place in the list means that the place is gone: $at', async (place) => {
    expect(await ask({ production: refusing(refused) }, { place })).toMatchObject({ found: 'no-place' });
  });

  test('at the start is the service’s error', async () => {
    await expect(ask({ production: refusing(refused) })).rejects.toBeInstanceOf(ServiceError);
  });

  test('for another reason is the service’s error at any place', async () => {
    const [place] = PLACES;
    const production = refusing({ kind: 'key-refused', status: 401 });
    await expect(ask({ production }, place && { place })).rejects.toBeInstanceOf(ServiceError);
  });
});
