import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed, partlyFailed } from '../examples.ts';
import { idsOnPage, noon, type QuietService, startQuietService } from '../testing.ts';

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
    const event = service.world.plantEvent(partlyFailed({ transactionId: 'txn-m1' }));
    const { data, totalCount } = await list('transactionId=txn-m1&channel=email');
    expect(totalCount).toBe(1);
    expect(data).toMatchObject([
      {
        _notificationId: event._id,
        transactionId: 'txn-m1',
        channel: 'email',
        status: 'error',
        errorId: expect.any(String),
        errorText: event.jobs[1]?.executionDetails.at(-1)?.raw,
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

  test('holds 1000 messages at most', async () => {
    expect(await get('limit=1000')).toMatchObject({ status: 200, body: { pageSize: 1000 } });
    expect(await get('limit=1001')).toMatchObject({
      status: 400,
      body: { message: 'Limit can not be larger then 1000' },
    });
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

  test('are refused with 422 if a context isn’t type:id', async () => {
    const errors = { 'contextKeys.1': { value: 'acme' } };
    expect(await get('contextKeys=a:1&contextKeys=acme')).toMatchObject({ status: 422, body: { errors } });
  });

  test('can be combined in any way', async () => {
    for (let index = 0; index < 24; index += 1)
      service.world.plantEvent({
        ...(index % 3 === 0 ? delivered() : failed('push')),
        subscriber: `reader-${index % 2}`,
        transactionId: `txn-c${index % 4}`,
        contextKeys: index % 5 === 0 ? ['a:1'] : [],
      });
    const everything = [0, 1, 2, 3].flatMap((nth) => messagesOf(`txn-c${nth}`)).map(({ message }) => message);
    const transactionIds = fc.uniqueArray(fc.constantFrom<string>('txn-c0', 'txn-c1', 'txn-c2'), { minLength: 1 });
    const filters = fc.record(
      { channel: fc.constantFrom('email', 'push'), subscriberId: fc.constantFrom('reader-0', 'reader-1') },
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(transactionIds, filters, fc.boolean(), async (ids, asked, inContext) => {
      const wanted = everything.filter(
        (message) =>
          ids.includes(message.transactionId) &&
          (asked.channel ?? message.channel) === message.channel &&
          (asked.subscriberId ?? message.subscriberId) === message.subscriberId &&
          (!inContext || message.contextKeys.length === 1),
      );
      const query = new URLSearchParams({ limit: '100', ...asked, ...(inContext && { contextKeys: 'a:1' }) });
      for (const id of ids) query.append('transactionId', id);
      const answer = await list(`${query}`);
      expect(answer.totalCount).toBe(wanted.length);
      expect(new Set(idsOnPage(answer))).toEqual(new Set(wanted.map(({ _id }) => _id)));
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
