import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UpdatedSubscriberBody } from './credentials.ts';
import { EventBody } from './event-body.ts';
import { anIntegration } from './lists.testing.ts';
import { IntegrationBody, MessageBody, SubscriptionBody, serviceEnvironmentIdIn } from './lists.ts';
import { listOf, pageOf } from './page.ts';
import { parsedBy } from './schema.ts';
import { resultsOf } from './trigger.ts';

const parseEvents = pageOf(EventBody);

async function read(body: unknown) {
  const { data } = await parseEvents(body);
  if (data === undefined) throw new Error("it isn't a page");
  return data;
}
const good = { _id: '65f0', transactionId: 't-1' };

test('a page names an odd item and keeps the others, unless it is far too long', async () => {
  expect((await parseEvents({ data: Array(10_001).fill(null) })).success).toBe(false);
  const odd = { _id: 'odd-1', createdAt: '2026-11-20T12:00:00Z', transactionId: 7 };
  const page = await read({ data: [good, odd, good], hasMore: true });
  expect(page.items).toHaveLength(2);
  expect(page.unreadable).toEqual([
    { key: 'odd-1', createdAt: new Date('2026-11-20T12:00:00Z'), wrong: 'transactionId: expected string' },
  ]);
});

test('a page gives an odd item without an ID the same key each time', async () => {
  const keyOf = async (item: unknown) => (await read({ data: [item], hasMore: false })).unreadable[0]?.key;
  const key = await keyOf({ a: 1 });
  expect(key).toMatch(/^[0-9a-f]{24}$/);
  expect(await keyOf({ a: 1 })).toBe(key);
  expect(await keyOf({ a: 2 })).not.toBe(key);
  expect(await keyOf({ _id: 'not an id, but a text from outside' })).toMatch(/^[0-9a-f]{24}$/);
});

test.each([{}, [], null, 'x', { data: {}, hasMore: true }])("%j isn't a page", async (body) => {
  expect((await parseEvents(body)).success).toBe(false);
});

test.each(['false', 1])('a page whose hasMore is %j has more unless it is empty', async (hasMore) => {
  expect(await read({ data: [good], hasMore })).toMatchObject({ items: [{ id: '65f0' }], hasMore: true });
  expect(await read({ data: [], hasMore })).toMatchObject({ items: [], hasMore: false });
});

test.each([
  ['4bf92f3577b34da6a3ce929d0e0e4736', '4bf92f3577b34da6a3ce929d0e0e4736'],
  ['unexpected_provider_error', 'unexpected_provider_error'],
  ['key-0a1b2c3d4e5f60718293a4b5c6d7e8f9', '•••'],
  ['', null],
])("a message's error ID is kept whole, and no secret in its place: %s", (errorId, kept) => {
  const message = { _notificationId: 'e', transactionId: 't', channel: 'email', status: 'error', errorId };
  expect(MessageBody.parse(message).errorId).toBe(kept);
});

test('a credentials update can be answered without a body', () => {
  expect(UpdatedSubscriberBody.parse(undefined)).toEqual({ settings: [], isDeleted: false, unreadable: 0 });
});

describe('any JSON', () => {
  const bodies = [
    ...[parseEvents, pageOf(MessageBody), listOf(IntegrationBody), pageOf(SubscriptionBody)],
    ...[parsedBy(UpdatedSubscriberBody), parsedBy(resultsOf(1))],
  ];

  test('is read or rejected without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (json) => {
        const answers = [json, { data: [json], hasMore: true, next: null }, [json], { channels: [json] }];
        for (const parse of bodies) for (const answer of answers) await parse(answer);
      }),
    );
  });

  test('has each item of a page accounted for', async () => {
    const item = fc.oneof(fc.jsonValue(), fc.record({ transactionId: fc.jsonValue(), jobs: fc.jsonValue() }));
    await fc.assert(
      fc.asyncProperty(fc.array(item), fc.boolean(), async (data, hasMore) => {
        const page = await read({ data, hasMore });
        expect(page.items.length + page.unreadable.length).toBe(data.length);
        expect(page.hasMore).toBe(hasMore);
      }),
    );
  });
});

const OWN = anIntegration({ serviceEnvironmentId: 'own' });
const OTHER = anIntegration({ serviceEnvironmentId: 'other' });

test("an environment's own ID is what an event of it names, else the only one listed", () => {
  expect(serviceEnvironmentIdIn([OTHER], 'own')).toBe('own');
  expect(serviceEnvironmentIdIn([OWN, OWN], null)).toBe('own');
  expect(serviceEnvironmentIdIn([OWN, OTHER], null)).toBeNull();
});

test('an integration keeps of its credentials only a mark, too short to find them by, that changes with them', () => {
  const wire = { identifier: 'main', providerId: 'ses', channel: 'email', _environmentId: 'e', active: true };
  const parsed = (credentials?: object) => IntegrationBody.parse({ ...wire, _id: 'i', name: 'SES', credentials });
  const { credentialsMark } = parsed({ apiKey: 'key-1', region: 'eu' });
  expect(credentialsMark).toMatch(/^[\da-f]{4}$/);
  expect(parsed({ region: 'eu', apiKey: 'key-1' })).toMatchObject({ credentialsMark });
  expect(parsed({ apiKey: 'key-2', region: 'eu' }).credentialsMark).not.toBe(credentialsMark);
  expect(parsed().credentialsMark).toBeNull();
  expect(JSON.stringify(parsed({ apiKey: 'key-1' }))).not.toContain('key-1');
});
