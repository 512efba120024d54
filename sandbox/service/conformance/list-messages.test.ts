import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../examples.ts';
import { idsOnPage, noon, type QuietService, startQuietService } from '../quiet.testing.ts';

let service: QuietService;
beforeAll(async () => {
  service = await startQuietService();
});
afterAll(() => service.close());

const get = (query: string) => service.get(`/v1/messages?${query}`);
const list = async (query: string) => (await get(query)).body;
const messagesOf = (transactionId: string) => service.world.messages.byTransaction(transactionId);

describe('a page of messages', () => {
  test('shows what each step produced, with its subscriber, workflow and error', async () => {
    const event = service.world.plantEvent(failed('email', { transactionId: 'txn-m1' }));
    const { data, totalCount } = await list('transactionId=txn-m1&channel=email');
    expect(totalCount).toBe(1);
    expect(data).toMatchObject([
      {
        _notificationId: event._id,
        transactionId: 'txn-m1',
        channel: 'email',
        status: 'error',
        errorId: expect.any(String),
        errorText: event.jobs[0]?.executionDetails.at(-1)?.raw,
        templateIdentifier: 'order-shipped',
        subscriber: { subscriberId: 'user-1' },
        template: { name: 'Order shipped', triggers: [{ identifier: 'order-shipped' }] },
      },
    ]);
  });

  test('has the newest ten messages by default, and counts all', async () => {
    for (let index = 0; index < 12; index += 1)
      service.world.plantEvent(failed('chat', { transactionId: 'txn-many', createdAt: noon - 12_000 + index * 1000 }));
    const newestFirst = messagesOf('txn-many').map(({ id }) => id);
    newestFirst.reverse();
    const [first, second] = [await list('transactionId=txn-many'), await list('transactionId=txn-many&page=1')];
    expect(first).toMatchObject({ totalCount: 12, hasMore: true, pageSize: 10, page: 0 });
    expect(second).toMatchObject({ totalCount: 12, hasMore: false, pageSize: 10, page: 1 });
    expect([...idsOnPage(first), ...idsOnPage(second)]).toEqual(newestFirst);
  });

  test('says exactly whether there is more, because it counts', async () => {
    expect(await list('transactionId=txn-many&limit=12')).toMatchObject({ hasMore: false });
    expect(await list('transactionId=txn-many&limit=6&page=1')).toMatchObject({ hasMore: false });
    expect(await list('transactionId=txn-many&limit=11')).toMatchObject({ hasMore: true });
    expect(await list('transactionId=txn-many&page=7')).toMatchObject({ hasMore: false, data: [], totalCount: 12 });
  });

  test('leaves out a deleted workflow or subscriber', async () => {
    service.world.plantEvent(failed('sms', { workflow: null, subscriber: null, transactionId: 'txn-orphan' }));
    const { data } = await list('transactionId=txn-orphan');
    expect(data).toEqual([expect.not.objectContaining({ subscriber: expect.anything(), template: expect.anything() })]);
  });
});

describe('the filters of the message list', () => {
  test('accept several transaction IDs', async () => {
    service.world.plantEvent(delivered({ transactionId: 'txn-m2' }));
    service.world.plantEvent(failed('sms', { transactionId: 'txn-m3' }));
    expect(await list('transactionId=txn-m2&transactionId=txn-m3&transactionId=txn-m3')).toMatchObject({
      totalCount: 3,
    });
  });

  test('require all context keys, in any order', async () => {
    service.world.plantEvent(failed('chat', { subscriber: 'user-99', contextKeys: ['a:1', 'b:2'] }));
    expect(await list('subscriberId=user-99&contextKeys=b:2&contextKeys=a:1')).toMatchObject({ totalCount: 1 });
    expect(await list('subscriberId=user-99&contextKeys=b:2')).toMatchObject({ totalCount: 0 });
  });

  test('answer 404 for an unknown subscriber', async () => {
    expect(await get('subscriberId=stranger')).toMatchObject({
      status: 404,
      body: { message: 'Subscriber not found for id stranger' },
    });
  });

  test.each(['channel=pigeon', 'channel=email&channel=sms', 'limit=0', 'limit=many', 'page=-1', 'status=error'])(
    'are refused with 422 if they are invalid: ?%s',
    async (query) => {
      const [field = ''] = query.split('=');
      expect(await get(query)).toMatchObject({ status: 422, body: { errors: { [field]: {} } } });
    },
  );
});
