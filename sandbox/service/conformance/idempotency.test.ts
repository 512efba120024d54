import { beforeEach, describe, expect, test } from 'vitest';
import { type QuietService, startQuietService } from '../quiet.testing.ts';

const bulk = '/v1/events/trigger/bulk';
const credentials = '/v1/subscribers/user-1/credentials';
const day = 24 * 3_600_000;
const key = { 'idempotency-key': 'intent-1' };
const order = (tx: string) => ({ events: [{ name: 'order-shipped', to: ['user-1'], transactionId: tx }] });
const tokens = { providerId: 'fcm', credentials: { deviceTokens: ['one'] } };

let service: QuietService;
beforeEach(async () => {
  service = await startQuietService();
  return () => service.close();
});

describe('an idempotency key', () => {
  test('replays the first answer for a repeat and sends nothing again', async () => {
    const body = { events: [{ name: 'order-shipped', to: ['user-1'] }] };
    const [first, second] = [await service.post(bulk, body, key), await service.post(bulk, body, key)];
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotency-key')).toBe('intent-1');
    expect(first.headers.get('idempotency-replay')).toBeNull();
    expect(second.headers.get('idempotency-replay')).toBe('true');
    service.advance(1000);
    expect(service.world.events.size).toBe(1);
  });

  test('is refused with 422 for another body, even of another operation', async () => {
    await service.post(bulk, order('one'), key);
    const refusal = { status: 422, body: { message: expect.stringContaining('different body') } };
    expect(await service.post(bulk, order('two'), key)).toMatchObject(refusal);
    expect(await service.patch(credentials, tokens, key)).toMatchObject(refusal);
  });

  test('is refused with 409 while the first request is running', async () => {
    service.faults.set('triggerEvents', { kind: 'slow', ms: 60_000 }, { times: 1 });
    const first = service.post(bulk, order('one'), key);
    await expect.poll(() => service.requests.count('triggerEvents')).toBe(1);
    const repeat = await service.post(bulk, order('one'), key);
    expect(repeat).toMatchObject({ status: 409 });
    expect(repeat.headers.get('retry-after')).toBe('1');
    await Promise.all([service.close(), expect(first).rejects.toThrow(TypeError)]);
    service = await startQuietService();
  });

  test('is kept for a day, also after a refusal', async () => {
    service.faults.set('triggerEvents', { kind: 'status', status: 500 }, { times: 1 });
    const first = await service.post(bulk, order('one'), key);
    service.advance(day - 1);
    const repeat = await service.post(bulk, order('one'), key);
    expect(repeat.body.errorId).toBe(first.body.errorId);
    expect(repeat.headers.get('idempotency-replay')).toBe('true');
    service.advance(1);
    expect((await service.post(bulk, order('one'), key)).status).toBe(201);
  });

  test('is ignored for reads', async () => {
    expect(await service.get('/v1/notifications', key)).toMatchObject({ status: 200 });
  });
});
