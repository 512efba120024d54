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
