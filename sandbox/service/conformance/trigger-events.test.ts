import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { idsOnPage, type QuietService, startQuietService } from '../quiet.testing.ts';

let service: QuietService;
beforeEach(async () => {
  service = await startQuietService();
  return () => service.close();
});

const Results = z.array(
  z.object({
    acknowledged: z.literal(true),
    status: z.string(),
    error: z.array(z.string()).optional(),
    transactionId: z.string().optional(),
  }),
);

const bulk = (...events: object[]) => service.post('/v1/events/trigger/bulk', { events });
const trigger = async (...events: object[]) => Results.parse((await bulk(...events)).body.data);
const order = (rest: object) => ({ name: 'order-shipped', payload: {}, to: ['user-1'], ...rest });
const withChannel = (credentials: object) => ({
  subscriberId: 'user-1',
  channels: [{ providerId: 'slack', credentials }],
});
const eventsOf = async (tx: string) =>
  idsOnPage((await service.get(`/v1/notifications?transactionId=${tx}&limit=50`)).body);
const subscribersOf = (tx: string) =>
  service.world.events.byTransaction(tx).map(({ event }) => event.subscriber?.subscriberId);

describe('a bulk trigger', () => {
  test('answers 201 with the result of each item at its index', async () => {
    const items = [order({ transactionId: 'one' }), { name: 'nonexistent', to: ['user-1'] }, order({})];
    expect((await bulk(...items)).status).toBe(201);
    expect(await trigger(...items)).toEqual([
      { acknowledged: true, status: 'processed', transactionId: 'one' },
      { acknowledged: true, status: 'error', error: ['workflow_not_found'] },
      { acknowledged: true, status: 'processed', transactionId: expect.any(String) },
    ]);
  });

  test('shows the event a moment later, with its steps as they run', async () => {
    await trigger(order({ transactionId: 'one' }));
    expect(await eventsOf('one')).toEqual([]);
    service.advance(800);
    const [id = ''] = await eventsOf('one');
    expect(service.world.event(id).jobs.map(({ status }) => status)).toEqual([
      expect.stringMatching(/queued|running/),
      'pending',
      'pending',
    ]);
    service.advance(10_000);
    expect(service.world.event(id).jobs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(service.world.messages.byTransaction('one')).toHaveLength(3);
  });

  test('accepts 1 to 100 events', async () => {
    const events = (count: number) => Array.from({ length: count }, () => ({ name: 'nonexistent', to: ['user-1'] }));
    expect(await trigger(...events(100))).toHaveLength(100);
    for (const count of [101, 0])
      expect(await bulk(...events(count))).toMatchObject({ status: 422, body: { errors: { events: {} } } });
  });

  test('sends nothing for a transaction ID that was used before', async () => {
    await trigger(order({ transactionId: 'one' }));
    expect(await trigger(order({ transactionId: 'one' }))).toMatchObject([
      { status: 'processed', transactionId: 'one' },
    ]);
    service.advance(1000);
    expect(await eventsOf('one')).toHaveLength(1);
  });

  test.each([
    ['an id', ['user-2'], ['user-2']],
    ['a definition', [{ subscriberId: 'user-2' }], ['user-2']],
    [
      'a mixture, each person once',
      ['user-41', { subscriberId: 'new-person' }, { subscriberId: 'user-41' }],
      ['new-person', 'user-41'],
    ],
  ])('accepts %s as recipient', async (_, to, expected) => {
    expect(await trigger(order({ to, transactionId: 'one' }))).toMatchObject([{ status: 'processed' }]);
    service.advance(1000);
    expect(subscribersOf('one').sort()).toEqual(expected);
  });

  test('updates the profile only of a recipient that has one', async () => {
    await trigger(
      order({ to: [{ subscriberId: 'user-2', email: 'new@example.org' }] }),
      order({ to: [{ subscriberId: 'user-3' }] }),
    );
    expect(service.world.subscriber('user-2')).toMatchObject({ email: 'new@example.org', __v: 1 });
    expect(service.world.subscriber('user-3')).toMatchObject({ __v: 0 });
  });

  test('stores a recipient’s credentials', async () => {
    const channels = [
      { providerId: 'fcm', credentials: { deviceTokens: ['one'] } },
      { providerId: 'discord', credentials: { webhookUrl: 'https://no.integration.example' } },
    ];
    await trigger(order({ to: [{ subscriberId: 'user-2', channels }] }));
    expect(service.world.subscriber('user-2').channels).toMatchObject([
      { providerId: 'fcm', credentials: { deviceTokens: ['one'] } },
    ]);
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

  test('declines with the status error and a reason, though acknowledged', async () => {
    expect(await trigger(order({ name: 'payment-failed' }), order({ tenant: 'acme', actor: 'user-2' }))).toEqual([
      {
        acknowledged: true,
        status: 'error',
        error: ['payload is missing required key(s) and type(s): amount (String)'],
      },
      { acknowledged: true, status: 'processed', transactionId: expect.any(String) },
    ]);
  });

  test.each([
    [{ events: 'many' }, 'events'],
    [{}, 'events'],
    [undefined, 'body'],
    [{ events: [{ to: ['user-1'] }] }, 'events.0.name'],
    [{ events: [order({}), order({ payload: 'text' })] }, 'events.1.payload'],
    [{ events: [order({ to: [] })] }, 'events.0.to'],
    [{ events: [{ name: 'order-shipped' }] }, 'events.0.to'],
    [{ events: [order({ to: null })] }, 'events.0.to'],
    [{ events: [order({ to: 'user-1' })] }, 'events.0.to'],
    [{ events: [order({ to: { subscriberId: 'user-1' } })] }, 'events.0.to'],
    [{ events: [order({ to: [{ subscriberId: 'user-1', emailx: 'a@b.c' }] })] }, 'events.0.to.0.emailx'],
    [{ events: [order({ to: [{ type: 'Topic', topicKey: 'vip' }] })] }, 'events.0.to.0.type'],
    [{ events: [order({ to: [{ subscriberId: 'user-1', email: null }] })] }, 'events.0.to.0.email'],
    [{ events: [order({ to: [withChannel({ channel: 'alerts' })] })] }, 'events.0.to.0.channels.0.credentials.channel'],
    [{ events: [order({ transactionID: 'one' })] }, 'events.0.transactionID'],
    [{ events: [order({ contexts: {} })] }, 'events.0.contexts'],
    [{ events: [order({ context: { tenant: { id: 'acme' } } })] }, 'events.0.context.tenant'],
    [{ events: [order({ actor: { subscriberId: 'user-2' } })] }, 'events.0.actor'],
    [{ events: [order({ tenant: { identifier: 'acme' } })] }, 'events.0.tenant'],
    [{ events: [order({})], dryRun: true }, 'dryRun'],
  ])('refuses a malformed body with 422 and names the field (%#)', async (body, field) => {
    expect(await service.post('/v1/events/trigger/bulk', body)).toMatchObject({
      status: 422,
      body: { errors: { [field]: {} } },
    });
  });
});
