import { describe, expect, it, onTestFinished } from 'vitest';
import { delivered } from './examples.ts';
import type { LocalServiceOptions } from './server.ts';
import { noon, startQuietService } from './testing.ts';

async function start(options?: LocalServiceOptions) {
  const service = await startQuietService(options);
  onTestFinished(() => service.close());
  return service;
}

const oneOrder = (tx: string) => ({ events: [{ name: 'order-shipped', to: 'user-1', transactionId: tx }] });
const bulk = '/v1/events/trigger/bulk';

describe('authentication', () => {
  it.each([
    ['no key', {}, 'Unauthorized'],
    ['another scheme', { authorization: 'Bearer sandbox-key' }, 'Invalid authentication scheme'],
    ['a wrong key', { authorization: 'ApiKey wrong' }, 'API Key not found'],
  ])('refuses %s', async (_, headers, message) => {
    const { url, requests } = await start();
    const response = await fetch(`${url}/v1/notifications`, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ statusCode: 401, message, path: '/v1/notifications' });
    expect(requests).toHaveLength(0);
  });
});

describe('answers', () => {
  it('are bare when envelopes are off, as the contract shows them', async () => {
    const service = await start({ envelopes: false });
    const { _id } = service.world.plantEvent(delivered());
    expect((await service.get(`/v1/notifications/${_id}`)).body).toMatchObject({
      _id,
      transactionId: expect.any(String),
    });
  });

  it('say that there is no such door', async () => {
    const service = await start();
    expect(await service.get('/v1/workflows')).toMatchObject({
      status: 404,
      body: { message: 'Cannot GET /v1/workflows' },
    });
    expect(await service.post('/v1/integrations', {})).toMatchObject({ status: 404 });
  });

  it('refuse text that is no JSON with 400, and too much of it with 413', async () => {
    const { url, post } = await start();
    const headers = { authorization: 'ApiKey sandbox-key' };
    expect((await fetch(url + bulk, { method: 'POST', headers, body: '{"events":' })).status).toBe(400);
    expect(await post(bulk, { events: 'x'.repeat(1_000_001) })).toMatchObject({
      status: 413,
      body: { message: expect.stringContaining('too large') },
    });
  });

  it('are recorded with their operation, query, body and key', async () => {
    const service = await start();
    await service.get('/v1/notifications?limit=5&channels=sms&channels=email');
    await service.post(bulk, oneOrder('one'), { 'idempotency-key': 'k1' });
    expect(service.requests.count('triggerEvents')).toBe(1);
    expect([...service.requests]).toMatchObject([
      { operation: 'listEvents', at: noon, query: { limit: '5', channels: ['sms', 'email'] } },
      { operation: 'triggerEvents', body: oneOrder('one'), key: 'k1' },
    ]);
    service.requests.clear();
    expect(service.requests).toHaveLength(0);
  });
});

describe('rate limits', () => {
  it('allow 150 reads in 5 seconds, then refuse until the window is over', async () => {
    const service = await start({ rateLimits: true });
    const reads = await Promise.all(Array.from({ length: 150 }, () => service.get('/v1/notifications?limit=1')));
    expect(reads.every(({ status }) => status === 200)).toBe(true);
    const refused = await service.get('/v1/notifications');
    expect(refused).toMatchObject({ status: 429, body: { message: 'API rate limit exceeded' } });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '5',
      'ratelimit-limit': '150',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '5',
      'ratelimit-policy': expect.stringContaining('150;w=5'),
    });
    service.advance(5000);
    expect((await service.get('/v1/notifications')).status).toBe(200);
  });

  it('allow three bulk triggers, which do not eat into the reads', async () => {
    const service = await start({ rateLimits: true });
    const statuses: number[] = [];
    for (const tx of ['one', 'two', 'three', 'four']) statuses.push((await service.post(bulk, oneOrder(tx))).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    expect((await service.get('/v1/notifications')).headers.get('ratelimit-remaining')).toBe('149');
  });
});

describe('idempotency keys', () => {
  const key = { 'idempotency-key': 'intent-1' };

  it('give a repeat the first answer and send nothing again', async () => {
    const service = await start();
    const body = { events: [{ name: 'order-shipped', to: 'user-1' }] };
    const first = await service.post(bulk, body, key);
    const second = await service.post(bulk, body, key);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replay')).toBe('true');
    service.advance(1000);
    expect(service.world.events.size).toBe(1);
  });

  it('refuse another body under the same key with 422', async () => {
    const service = await start();
    await service.post(bulk, oneOrder('one'), key);
    expect(await service.post(bulk, oneOrder('two'), key)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('different body') },
    });
  });

  it('refuse a repeat with 409 while the first request runs', async () => {
    const service = await startQuietService();
    service.faults.set('triggerEvents', { kind: 'slow', ms: 60_000 }, { times: 1 });
    const first = service.post(bulk, oneOrder('one'), key);
    await expect.poll(() => service.requests.count('triggerEvents')).toBe(1);
    const repeat = await service.post(bulk, oneOrder('one'), key);
    expect(repeat).toMatchObject({ status: 409 });
    expect(repeat.headers.get('retry-after')).toBe('1');
    await Promise.all([service.close(), expect(first).rejects.toThrow(TypeError)]);
  });

  it('remember a refusal too, for a day', async () => {
    const service = await start();
    service.faults.set('triggerEvents', { kind: 'status', status: 500 }, { times: 1 });
    const first = await service.post(bulk, oneOrder('one'), key);
    expect((await service.post(bulk, oneOrder('one'), key)).body.errorId).toBe(first.body.errorId);
    service.advance(24 * 3_600_000);
    expect((await service.post(bulk, oneOrder('one'), key)).status).toBe(201);
  });

  it('are refused when longer than 255 characters, and mean nothing when switched off or on reads', async () => {
    const long = { 'idempotency-key': 'k'.repeat(256) };
    const service = await start();
    expect(await service.post(bulk, oneOrder('one'), long)).toMatchObject({ status: 400 });
    expect(await service.get('/v1/notifications', long)).toMatchObject({ status: 200 });
    const careless = await start({ idempotency: false });
    expect(await careless.post(bulk, oneOrder('one'), long)).toMatchObject({ status: 201 });
  });
});
