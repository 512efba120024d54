import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TopicSubscription } from '../entities.ts';
import { idsOnPage, type QuietService, startQuietService } from '../quiet.testing.ts';

let service: QuietService;
beforeAll(async () => {
  service = await startQuietService();
});
afterAll(() => service.close());

const path = (topic: string, query = '') => `/v2/topics/${encodeURIComponent(topic)}/subscriptions?${query}`;
const people = (count: number) => Array.from({ length: count }, (_, index) => `person-${index}`);
const list = async (topic: string, query = '') => (await service.get(path(topic, query))).body;
const idsOf = async (topic: string, query = '') => idsOnPage(await list(topic, query));
const idsIn = (topic: string) => (service.world.topics.get(topic)?.subscriptions ?? []).map(({ _id }) => _id);

describe('a page of a topic’s subscriptions', () => {
  test('shows each with its topic and its subscriber', async () => {
    const body = await list('vip');
    expect(body).toMatchObject({ next: null, previous: null, totalCount: 3, totalCountCapped: false });
    expect(body.data).toContainEqual({
      _id: expect.any(String),
      createdAt: expect.any(String),
      topic: expect.objectContaining({ key: 'vip', name: 'VIP' }),
      subscriber: expect.objectContaining({ subscriberId: 'user-41' }),
    });
  });

  test('has the newest ten subscriptions by default', async () => {
    const newestFirst = idsIn('news-readers').toReversed();
    expect(await idsOf('news-readers')).toEqual(newestFirst.slice(0, 10));
    expect(await idsOf('news-readers', 'orderDirection=ASC')).toEqual(newestFirst.toReversed().slice(0, 10));
  });

  test('holds 100 subscriptions at most', async () => {
    service.world.plantTopic('hundreds', people(101));
    expect(await idsOf('hundreds', 'limit=100')).toHaveLength(100);
    expect(await service.get(path('hundreds', 'limit=101'))).toMatchObject({ status: 422 });
  });

  test('finds one subscriber, and none in a topic without subscriptions', async () => {
    expect(await list('vip', 'subscriberId=user-42')).toMatchObject({
      totalCount: 1,
      data: [{ subscriber: { subscriberId: 'user-42' } }],
    });
    expect(await list('vip', 'subscriberId=user-1')).toMatchObject({ totalCount: 0, data: [] });
    expect(await list('nobody')).toMatchObject({ data: [], next: null, previous: null, totalCount: 0 });
  });

  test('counts up to 50,000', async () => {
    const topic = service.world.plantTopic('everybody', ['somebody']);
    const [subscription] = topic.subscriptions;
    const subscriptions = subscription ? Array<TopicSubscription>(50_001).fill(subscription) : [];
    service.world.topics.set('everybody', { ...topic, subscriptions });
    expect(await list('everybody')).toMatchObject({ totalCount: 50_000, totalCountCapped: true });
  });
});

describe('a cursor', () => {
  test('continues at its place when subscriptions are added or removed', async () => {
    const topic = service.world.plantTopic('moving', people(6));
    const oldestFirst = 'orderDirection=ASC&limit=2';
    const { next } = await list('moving', oldestFirst);
    service.world.topics.set('moving', { ...topic, subscriptions: topic.subscriptions.filter((_, nth) => nth !== 2) });
    expect(await idsOf('moving', `${oldestFirst}&after=${next}`)).toEqual(
      topic.subscriptions.slice(3, 5).map(({ _id }) => _id),
    );
  });

  test('visits every subscription once, in either order', async () => {
    const walk = fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 5, max: 25 }),
      fc.constantFrom('ASC', 'DESC'),
      async (size, limit, direction) => {
        service.world.plantTopic('walk', people(size));
        const inOrder = direction === 'ASC' ? idsIn('walk') : idsIn('walk').reverse();
        expect(await follow(`limit=${limit}&orderDirection=${direction}`)).toEqual(inOrder);
      },
    );
    await fc.assert(walk, { numRuns: 20 });
  });

  async function follow(query: string): Promise<unknown[]> {
    const page = await list('walk', query);
    const ids: unknown[] = idsOnPage(page);
    const [path] = query.split('&after=');
    return page.next === null ? ids : [...ids, ...(await follow(`${path}&after=${page.next}`))];
  }
});

describe('a request for subscriptions', () => {
  test.each([
    ['no-such-topic', '', 404],
    ['vip', 'limit=0', 422],
    ['vip', 'orderDirection=UP', 422],
    ['vip', 'page=1', 422],
  ])('is refused: /%s?%s with %i', async (topic, query, status) => {
    expect(await service.get(path(topic, query))).toMatchObject({ status, body: { statusCode: status } });
  });
});
