import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type QuietService, startQuietService } from '../testing.ts';
import { listTopicSubscriptions } from './topics.ts';

let service: QuietService;
beforeAll(async () => {
  service = await startQuietService();
});
afterAll(() => service.close());

const path = (topic: string, query = '') => `/v2/topics/${encodeURIComponent(topic)}/subscriptions?${query}`;
const people = (count: number) => Array.from({ length: count }, (_, index) => `person-${index}`);

describe('the subscriptions of a topic', () => {
  it('shows each with its topic and its subscriber', async () => {
    const { body } = await service.get(path('vip'));
    expect(body).toMatchObject({ next: null, previous: null, totalCount: 3, totalCountCapped: false });
    expect(body.data).toContainEqual({
      _id: expect.any(String),
      createdAt: expect.any(String),
      topic: expect.objectContaining({ key: 'vip', name: 'VIP' }),
      subscriber: expect.objectContaining({ subscriberId: 'user-41' }),
    });
  });

  it('finds one subscriber, and none in a topic without subscriptions', async () => {
    expect((await service.get(path('vip', 'subscriberId=user-42'))).body).toMatchObject({ totalCount: 1 });
    expect((await service.get(path('nobody'))).body).toMatchObject({
      data: [],
      next: null,
      previous: null,
      totalCount: 0,
    });
  });

  it('includes the cursor itself when asked to', async () => {
    const { body } = await service.get(path('news-readers', 'limit=1&orderDirection=ASC'));
    const cursor = `after=${body.next}&limit=1&orderDirection=ASC`;
    expect((await service.get(path('news-readers', `${cursor}&includeCursor=true`))).body.data).toEqual(body.data);
    expect((await service.get(path('news-readers', cursor))).body.data).not.toEqual(body.data);
  });

  it('counts to 50,000 and says that it stopped there', () => {
    service.world.plantTopic('everybody', people(50_001));
    const page = listTopicSubscriptions(service.world, { path: ['everybody'], query: {}, body: undefined });
    expect(page).toMatchObject({ totalCount: 50_000, totalCountCapped: true });
  });

  it('shows every subscription once, walked forwards or backwards, in either order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom('ASC', 'DESC'),
        (size, limit, orderDirection) => {
          const topic = service.world.plantTopic('walk', people(size));
          const inOrder = topic.subscriptions.map(({ _id }) => _id);
          if (orderDirection === 'DESC') inOrder.reverse();
          const read = (cursor: object) =>
            listTopicSubscriptions(service.world, {
              path: ['walk'],
              query: { limit: String(limit), orderDirection, ...cursor },
              body: undefined,
            });
          const seen: string[] = [];
          let page = read({});
          for (
            seen.push(...page.data.map(({ _id }) => _id));
            page.next !== null;
            seen.push(...page.data.map(({ _id }) => _id))
          )
            page = read({ after: page.next });
          expect(seen).toEqual(inOrder);
          const back: string[] = page.data.map(({ _id }) => _id);
          for (; page.previous !== null; back.unshift(...page.data.map(({ _id }) => _id)))
            page = read({ before: page.previous });
          expect(back).toEqual(inOrder);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['no-such-topic', '', 404],
    ['vip', 'limit=101', 422],
    ['vip', 'orderDirection=UP', 422],
    ['vip', 'includeCursor=maybe', 422],
    ['vip', 'after=a&before=b', 400],
  ])('refuses /%s?%s with %i', async (topic, query, status) => {
    expect(await service.get(path(topic, query))).toMatchObject({ status, body: { statusCode: status } });
  });
});
