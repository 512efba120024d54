import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Idempotency } from '../idempotency.ts';
import { quietEachTest } from '../quiet.testing.ts';
import cases from './writes.cases.json' with { type: 'json' };

const service = quietEachTest();

describe('a bulk trigger', () => {
  const Results = z.array(z.looseObject({ acknowledged: z.literal(true), status: z.string() }));
  const bulk = (...events: object[]) => service.post('/v1/events/trigger/bulk', { events });
  const trigger = async (...events: object[]) => Results.parse((await bulk(...events)).body.data);
  const order = (rest: object) => ({ name: 'order-shipped', payload: {}, to: ['user-1'], ...rest });
  const eventsOf = (tx: string) => service.world.events.byTransaction(tx).map(({ event }) => event);

  test('shows the event a moment later, once for a transaction ID, with its steps as they run', async () => {
    await trigger(order({ transactionId: 'txn' }));
    expect(eventsOf('txn')).toEqual([]);
    service.advance(800);
    await trigger(order({ transactionId: 'txn' }));
    service.advance(800);
    expect(eventsOf('txn')).toHaveLength(1);
    service.advance(10_000);
    expect(eventsOf('txn')[0]?.jobs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(service.world.messages.byTransaction('txn')).toHaveLength(3);
  });

  test('accepts IDs and definitions, each person once, and updates the profile of one that has more', async () => {
    const channels = [{ providerId: 'fcm', credentials: { deviceTokens: ['token'] } }];
    const person = { subscriberId: 'user-2', email: 'new@example.org', channels };
    await trigger(order({ to: ['user-41', person, { subscriberId: 'user-41' }], transactionId: 'txn' }));
    service.advance(1000);
    expect(eventsOf('txn').map(({ subscriber }) => subscriber?.subscriberId)).toEqual(['user-41', 'user-2']);
    expect(service.world.subscriber('user-2')).toMatchObject({
      email: 'new@example.org',
      channels: [{ providerId: 'fcm', credentials: { deviceTokens: ['token'] } }],
    });
    const { createdAt, updatedAt } = service.world.subscriber('user-41');
    expect(updatedAt).toBe(createdAt);
  });

  test('to a topic reaches its subscribers, and an unknown subscriber is created', async () => {
    await trigger(order({ to: [{ type: 'Topic', topicKey: 'vip' }, 'stranger'], transactionId: 'txn' }));
    expect(service.world.subscribers.has('stranger')).toBe(true);
    service.advance(1000);
    const reached = eventsOf('txn').flatMap(({ topics }) => topics.map(({ topicKey }) => topicKey));
    expect([eventsOf('txn').length, reached]).toEqual([4, ['vip', 'vip', 'vip']]);
  });

  test.each(cases.eventless)('says $status and makes no event for $change', async ({ status, change }) => {
    const results = await trigger(order({ ...change, transactionId: 'none' }));
    expect(results).toEqual([{ acknowledged: true, status, transactionId: 'none' }]);
    service.advance(60_000);
    expect(eventsOf('none')).toEqual([]);
  });
});

describe('an idempotency key', () => {
  const path = '/v1/events/trigger/bulk';
  const post = (key: string, events: object[]) => service.post(path, { events }, { 'idempotency-key': key });
  const send = (key: string, to: string) => post(key, [{ name: 'order-shipped', to: [to], payload: {} }]);
  const sendNothing = (key: string) => post(key, []);

  test('makes the service repeat its answer, whatever became of the first one', async () => {
    service.faults.set('triggerEvents', { kind: 'lost answer' }, { times: 1 });
    await expect(send('key', 'user-1')).rejects.toThrow();
    const [first, second] = [await send('key', 'user-1'), await send('key', 'user-1')];
    expect(second.body).toEqual(first.body);
    service.advance(60_000);
    expect(service.world.events.size).toBe(1);
  });

  test('is refused for another body, after a refusal, and if it is too long', async () => {
    await send('key', 'user-1');
    expect((await send('key', 'user-2')).status).toBe(422);
    expect((await sendNothing('refused')).status).toBe(422);
    // A key whose request was refused is answered with 503 from then on.
    expect((await sendNothing('refused')).status).toBe(503);
    expect((await send('x'.repeat(256), 'user-1')).status).toBe(400);
  });

  test('is refused while the first request runs', async () => {
    const keys = new Idempotency();
    const never = () => new Promise<never>(() => {});
    void keys.once('key', '', never);
    await expect(keys.once('key', '', never)).rejects.toMatchObject({ status: 409, headers: { 'Retry-After': '1' } });
  });

  test('works again after a 429, which says when: later for a trigger', async () => {
    service.faults.set('all', { kind: 'status', status: 429 }, { times: 2 });
    expect((await service.get('/v1/messages')).headers.get('retry-after')).toBe('0');
    const refused = await send('key', 'user-1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect((await send('key', 'user-1')).status).toBe(201);
  });
});

describe('a credentials update', () => {
  const path = '/v1/subscribers/user-1/credentials';
  const tokens = { providerId: 'fcm', credentials: { deviceTokens: ['one'] } };

  test('adds device tokens, takes one as a list, and wipes all for an empty one or none', async () => {
    const Stored = z.object({ data: z.object({ channels: z.array(z.looseObject({ credentials: z.unknown() })) }) });
    const stored = async (credentials: object) => {
      const { body } = await service.patch(path, { providerId: 'fcm', credentials });
      return Stored.parse(body).data.channels[0]?.credentials;
    };
    expect(await stored({ deviceTokens: ['one'] })).toEqual({ deviceTokens: ['one'] });
    expect(await stored({ deviceTokens: ['two'] })).toEqual({ deviceTokens: ['one', 'two'] });
    expect(await stored({ deviceTokens: 'two', title: 'unknown' })).toEqual({ deviceTokens: ['one', 'two'] });
    expect(await stored({ deviceTokens: [] })).toEqual({ deviceTokens: [] });
    expect(await stored({ deviceTokens: ['three'] })).toEqual({ deviceTokens: ['three'] });
    expect(await stored({})).toEqual({ deviceTokens: [] });
  });

  test('is refused with 400 for an integration identifier that is not known', async () => {
    expect((await service.patch(path, { ...tokens, integrationIdentifier: 'elsewhere' })).status).toBe(400);
  });
});
