import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delivered, failed, partlyFailed } from '../examples.ts';
import { type QuietService, startQuietService } from '../testing.ts';

let service: QuietService;
beforeAll(async () => {
  service = await startQuietService();
});
afterAll(() => service.close());

const list = async (query: string) => (await service.get(`/v1/messages?${query}`)).body;

describe('the message list', () => {
  it('shows what each step produced, with its subscriber, workflow and error', async () => {
    const event = service.world.plantEvent(partlyFailed({ transactionId: 'txn-m1' }));
    const { data, totalCount } = await list('transactionId=txn-m1&channel=email');
    expect(totalCount).toBe(1);
    expect(data).toMatchObject([
      {
        _notificationId: event._id,
        channel: 'email',
        status: 'error',
        errorText: event.jobs[1]?.executionDetails.at(-1)?.raw,
        templateIdentifier: 'order-shipped',
        subscriber: { subscriberId: 'user-1' },
        template: { name: 'Order shipped', triggers: [{ identifier: 'order-shipped' }] },
      },
    ]);
  });

  it('takes several transaction ids and up to 1000 on a page', async () => {
    service.world.plantEvent(delivered({ transactionId: 'txn-m2' }));
    service.world.plantEvent(failed('sms', { transactionId: 'txn-m3' }));
    expect(await list('transactionId=txn-m2&transactionId=txn-m3&limit=1000')).toMatchObject({
      totalCount: 3,
      hasMore: false,
      pageSize: 1000,
      page: 0,
    });
    expect(await list('transactionId=txn-m2&limit=1')).toMatchObject({ hasMore: true });
  });

  it('filters by subscriber and by context keys in any order', async () => {
    service.world.plantEvent(failed('chat', { subscriber: 'user-99', contextKeys: ['a:1', 'b:2'] }));
    expect(await list('subscriberId=user-99&contextKeys=b:2&contextKeys=a:1')).toMatchObject({ totalCount: 1 });
    expect(await list('subscriberId=user-99&contextKeys=b:2')).toMatchObject({ totalCount: 0 });
  });

  it('answers 404 for an unknown subscriber', async () => {
    const { status, body } = await service.get('/v1/messages?subscriberId=stranger');
    expect(status).toBe(404);
    expect(body.message).toBe('Subscriber not found for id stranger');
  });

  it.each(['channel=pigeon', 'limit=0', 'page=-1'])('refuses ?%s', async (query) => {
    expect(await service.get(`/v1/messages?${query}`)).toMatchObject({ status: 422 });
  });
});
