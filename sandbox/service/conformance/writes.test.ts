import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { quietEachTest } from '../quiet.testing.ts';

const service = quietEachTest();

describe('a bulk trigger', () => {
  const Results = z.array(z.looseObject({ acknowledged: z.literal(true), status: z.string() }));
  const bulk = (...events: object[]) => service.post('/v1/events/trigger/bulk', { events });
  const trigger = async (...events: object[]) => Results.parse((await bulk(...events)).body.data);
  const order = (rest: object) => ({ name: 'order-shipped', payload: {}, to: ['user-1'], ...rest });
  const eventsOf = (tx: string) => service.world.events.byTransaction(tx).map(({ event }) => event);

  test('shows the event a moment later, once for a transaction ID, with its steps as they run', async () => {
    await trigger(order({ transactionId: 'one' }));
    await trigger(order({ transactionId: 'one' }));
    expect(eventsOf('one')).toEqual([]);
    service.advance(800);
    expect(eventsOf('one')).toHaveLength(1);
    service.advance(10_000);
    expect(eventsOf('one')[0]?.jobs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(service.world.messages.byTransaction('one')).toHaveLength(3);
  });

  test('accepts IDs and definitions, each person once, and updates the profile of one that has more', async () => {
    const channels = [{ providerId: 'fcm', credentials: { deviceTokens: ['one'] } }];
    const person = { subscriberId: 'user-2', email: 'new@example.org', channels };
    await trigger(order({ to: ['user-41', person, { subscriberId: 'user-41' }], transactionId: 'one' }));
    service.advance(1000);
    expect(eventsOf('one').map(({ subscriber }) => subscriber?.subscriberId)).toEqual(['user-41', 'user-2']);
    expect(service.world.subscriber('user-2')).toMatchObject({
      email: 'new@example.org',
      channels: [{ providerId: 'fcm', credentials: { deviceTokens: ['one'] } }],
    });
    const { createdAt, updatedAt } = service.world.subscriber('user-41');
    expect(updatedAt).toBe(createdAt);
  });

  test.each([
    ['trigger_not_active', { name: 'retired-welcome' }],
    ['no_workflow_steps_defined', { name: 'empty-draft' }],
    ['no_workflow_active_steps_defined', { name: 'paused-survey' }],
    ['no_tenant_found', { tenant: 'unknown' }],
    ['invalid_recipients', { to: [{ email: 'a@b.c' }, 'no such id!'] }],
  ])('declines with the status %s', async (status, change) => {
    expect(await trigger(order(change))).toEqual([{ acknowledged: true, status, transactionId: expect.any(String) }]);
  });

  test.each([
    ['payload', 'text'],
    ['transactionID', 'one'],
  ])('refuses a malformed %s with 422 and names the field', async (field, value) => {
    const refusal = { status: 422, body: { errors: { [`events.1.${field}`]: {} } } };
    expect(await bulk(order({}), order({ [field]: value }))).toMatchObject(refusal);
  });
});

describe('a credentials update', () => {
  const path = '/v1/subscribers/user-1/credentials';
  const tokens = { providerId: 'fcm', credentials: { deviceTokens: ['one'] } };

  test.each([
    ['an unknown subscriber', '/v1/subscribers/stranger/credentials', tokens],
    ['a provider without an active integration', path, { providerId: 'discord', credentials: {} }],
    ['an integration identifier that is not known', path, { ...tokens, integrationIdentifier: 'elsewhere' }],
  ])('refuses %s with 400', async (_, address, body) => {
    expect(await service.patch(address, body)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  test.each([
    [{ providerId: 'pigeon', credentials: {} }, 'providerId'],
    [{ providerId: 'fcm' }, 'credentials'],
    [{ providerId: 'fcm', credentials: { deviceToken: 'one' } }, 'credentials.deviceToken'],
  ])('refuses %j with 422 and names the field', async (body, field) => {
    expect(await service.patch(path, body)).toMatchObject({ status: 422, body: { errors: { [field]: {} } } });
  });
});
