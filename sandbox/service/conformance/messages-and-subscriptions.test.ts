import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { delivered, failed } from '../examples.ts';
import { idsOnPage, noon, quietEachTest } from '../quiet.testing.ts';

const service = quietEachTest();

describe('a page of messages', () => {
  const get = (query: string) => service.get(`/v1/messages?${query}`);
  const list = async (query: string) => (await get(query)).body;
  const Items = z.array(z.looseObject({})).nonempty();

  test('shows what each step produced, with its subscriber, workflow and error', async () => {
    const event = service.world.plantEvent(failed('email', { transactionId: 'txn-m1' }));
    const { data } = await list('transactionId=txn-m1&channel=email');
    const errorText = event.jobs[0]?.executionDetails.at(-1)?.raw;
    expect(data).toMatchObject([
      {
        _notificationId: event._id,
        channel: 'email',
        status: 'error',
        errorText,
        subscriber: { subscriberId: 'user-1' },
        templateIdentifier: 'order-shipped',
        providerId: 'sendgrid',
      },
    ]);
  });

  test('leaves out a subscriber and a workflow that were deleted', async () => {
    service.world.plantEvent(failed('sms', { workflow: null, subscriber: null, transactionId: 'txn-orphan' }));
    const [orphan] = Items.parse((await list('transactionId=txn-orphan')).data);
    expect(orphan).not.toHaveProperty('subscriber');
    expect(orphan).not.toHaveProperty('templateIdentifier');
  });

  test('names the workflow of a push by ID alone', async () => {
    const event = service.world.plantEvent(failed('push', { transactionId: 'txn-push' }));
    const [push] = Items.parse((await list('transactionId=txn-push')).data);
    expect(push).toMatchObject({ _templateId: event._templateId, providerId: 'fcm', status: 'error' });
    expect(push).not.toHaveProperty('templateIdentifier');
  });

  test('has the newest first, and says exactly whether there is more', async () => {
    for (const createdAt of [noon - 2, noon - 1])
      service.world.plantEvent(failed('chat', { transactionId: 'txn-many', createdAt }));
    const newest = [{ createdAt: new Date(noon - 1).toISOString() }];
    expect(await list('transactionId=txn-many&limit=1')).toMatchObject({ hasMore: true, data: newest });
    expect(await list('transactionId=txn-many&limit=1&page=1')).toMatchObject({ hasMore: false });
  });

  test('is filtered by several transactions, and by all context keys if they are sorted', async () => {
    service.world.plantEvent(delivered({ transactionId: 'txn-m2' }));
    service.world.plantEvent(
      failed('sms', { transactionId: 'txn-m3', subscriber: 'user-99', contextKeys: ['a:1', 'b:2'] }),
    );
    // Two of the delivered event, and one of the failed one.
    expect(await list('transactionId=txn-m2&transactionId=txn-m3')).toMatchObject({ totalCount: 3 });
    expect(await list('subscriberId=user-99&contextKeys=a:1&contextKeys=b:2')).toMatchObject({ totalCount: 1 });
    expect(await list('subscriberId=user-99&contextKeys=b:2&contextKeys=a:1')).toMatchObject({ totalCount: 0 });
    expect(await list('subscriberId=user-99&contextKeys=b:2')).toMatchObject({ totalCount: 0 });
  });

  test.each([
    ['channel=email&channel=sms', 422],
    ['status=error', 422],
  ])('is refused for ?%s with %i', async (query, status) => {
    expect(await get(query)).toMatchObject({ status });
  });
});

describe('a page of a topic’s subscriptions', () => {
  const path = (topic: string, query = '') => `/v2/topics/${encodeURIComponent(topic)}/subscriptions?${query}`;
  const list = async (topic: string, query = '') => (await service.get(path(topic, query))).body;

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

  test('is filtered by a subscriber, ends before a cursor, and can be empty', async () => {
    expect(await list('vip', 'subscriberId=user-42')).toMatchObject({ totalCount: 1 });
    const [first, second, last] = idsOnPage(await list('vip'));
    expect(idsOnPage(await list('vip', `before=${last}`))).toEqual([first, second]);
    expect(await list('nobody')).toMatchObject({ data: [], next: null, previous: null, totalCount: 0 });
  });

  test.each([
    ['vip', 'limit=101', 422],
    ['vip', 'page=1', 422],
    ['vip', 'after=65f0c0ffee65f0c0ffee65f0&before=65f0c0ffee65f0c0ffee65f0', 400],
  ])('is refused: /%s?%s with %i', async (topic, query, status) => {
    expect(await service.get(path(topic, query))).toMatchObject({ status, body: { statusCode: status } });
  });
});
