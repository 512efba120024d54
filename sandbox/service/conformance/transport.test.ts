import { expect, onTestFinished, test } from 'vitest';
import { noon, type QuietService, startQuietService } from '../quiet.testing.ts';
import type { LocalServiceOptions } from '../server.ts';

async function start(options?: LocalServiceOptions): Promise<QuietService> {
  const service = await startQuietService(options);
  onTestFinished(() => service.close());
  return service;
}

test('a wrong key is refused with 401', async () => {
  const { get, requests } = await start();
  expect(await get('/v1/notifications', { authorization: 'ApiKey wrong' })).toMatchObject({
    status: 401,
    body: { message: 'API Key not found' },
  });
  expect(requests).toHaveLength(0);
});

test('a refusal has the same envelope for every problem: what, where and when', async () => {
  const { status, body } = await (await start()).get('/v1/messages?subscriberId=stranger');
  expect(status).toBe(404);
  expect(body).toEqual({
    statusCode: 404,
    timestamp: new Date(noon).toISOString(),
    path: '/v1/messages?subscriberId=stranger',
    message: expect.any(String),
  });
});

test('a request is logged with its operation, query, body and key', async () => {
  const service = await start();
  const order = { events: [{ name: 'order-shipped', to: ['user-1'] }] };
  await service.get('/v1/notifications?limit=5&channels=sms&channels=email');
  await service.post('/v1/events/trigger/bulk', order, { 'idempotency-key': 'k1' });
  expect(service.requests.count('triggerEvents')).toBe(1);
  expect([...service.requests]).toMatchObject([
    { operation: 'listEvents', at: noon, query: { limit: '5', channels: ['sms', 'email'] } },
    { operation: 'triggerEvents', body: order, key: 'k1' },
  ]);
  service.requests.clear();
  expect(service.requests).toHaveLength(0);
});
