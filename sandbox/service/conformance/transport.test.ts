import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { delivered } from '../examples.ts';
import { noon, type QuietService, startQuietService } from '../quiet.testing.ts';
import type { LocalServiceOptions } from '../server.ts';

const bulk = '/v1/events/trigger/bulk';
const oneOrder = { events: [{ name: 'order-shipped', to: ['user-1'] }] };

async function start(options?: LocalServiceOptions): Promise<QuietService> {
  const service = await startQuietService(options);
  onTestFinished(() => service.close());
  return service;
}

let shared: QuietService;
beforeAll(async () => {
  shared = await startQuietService();
});
afterAll(() => shared.close());

describe('authentication', () => {
  test.each([
    ['no key', undefined, 'Unauthorized'],
    ['another scheme', 'Bearer sandbox-key', 'Invalid authentication scheme'],
    ['a wrong key', 'ApiKey wrong', 'API Key not found'],
  ])('refuses %s with 401', async (_, authorization, message) => {
    const { url, requests } = await start();
    const response = await fetch(`${url}/v1/notifications`, authorization ? { headers: { authorization } } : {});
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ statusCode: 401, message, path: '/v1/notifications' });
    expect(requests).toHaveLength(0);
  });
});

describe('an answer', () => {
  test('is wrapped into data, except for the three paged lists', async () => {
    const { _id } = shared.world.plantEvent(delivered());
    const wrapped = [
      await shared.get(`/v1/notifications/${_id}`),
      await shared.get('/v1/integrations'),
      await shared.post(bulk, oneOrder),
      await shared.patch('/v1/subscribers/user-1/credentials', { providerId: 'slack', credentials: {} }),
    ];
    expect(wrapped.map(({ status, body }) => [status, ...Object.keys(body)])).toEqual([
      [200, 'data'],
      [200, 'data'],
      [201, 'data'],
      [200, 'data'],
    ]);
    for (const path of ['/v1/notifications', '/v1/messages', '/v2/topics/vip/subscriptions'])
      expect(Object.keys((await shared.get(path)).body).length).toBeGreaterThan(3);
  });

  test('is bare without envelopes, as the contract shows it', async () => {
    const service = await start({ envelopes: false });
    const { _id } = service.world.plantEvent(delivered());
    expect((await service.get(`/v1/notifications/${_id}`)).body).toMatchObject({ _id });
    const headers = { authorization: `ApiKey ${service.apiKey}` };
    expect(await (await fetch(`${service.url}/v1/integrations`, { headers })).json()).toBeInstanceOf(Array);
  });
});

describe('a refusal', () => {
  test('has the same envelope for every problem: what, where and when', async () => {
    const { status, body } = await shared.get('/v1/messages?subscriberId=stranger');
    expect(status).toBe(404);
    expect(body).toEqual({
      statusCode: 404,
      timestamp: new Date(noon).toISOString(),
      path: '/v1/messages?subscriberId=stranger',
      message: expect.any(String),
    });
  });

  test('is 404 for an unknown route', async () => {
    expect(await shared.get('/v1/workflows')).toMatchObject({
      status: 404,
      body: { message: 'Cannot GET /v1/workflows' },
    });
    expect(await shared.post('/v1/integrations', {})).toMatchObject({ status: 404 });
  });

  test('is 400 for a body that is no JSON', async () => {
    const headers = { authorization: `ApiKey ${shared.apiKey}`, 'content-type': 'application/json' };
    expect((await fetch(shared.url + bulk, { method: 'POST', headers, body: '{"events":' })).status).toBe(400);
  });
});

describe('a request', () => {
  test('is logged with its operation, query, body and key', async () => {
    const service = await start();
    await service.get('/v1/notifications?limit=5&channels=sms&channels=email');
    await service.post(bulk, oneOrder, { 'idempotency-key': 'k1' });
    expect(service.requests.count('triggerEvents')).toBe(1);
    expect([...service.requests]).toMatchObject([
      { operation: 'listEvents', at: noon, query: { limit: '5', channels: ['sms', 'email'] } },
      { operation: 'triggerEvents', body: oneOrder, key: 'k1' },
    ]);
    service.requests.clear();
    expect(service.requests).toHaveLength(0);
  });
});
