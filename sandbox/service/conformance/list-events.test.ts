import { describe, expect, test } from 'vitest';
import { delivered, failed } from '../examples.ts';
import { idsOnPage, noon, quietEachTest } from '../quiet.testing.ts';

const service = quietEachTest();

const hour = 3_600_000;
const day = 24 * hour;
const time = (ms: number) => new Date(ms).toISOString();
const get = (query: string) => service.get(`/v1/notifications?${query}`);
const list = async (query: string) => (await get(query)).body;
const idsOf = async (query: string) => idsOnPage(await list(query));

describe('a page of events', () => {
  test('says that there is more whenever it is full, so the last page can be empty', async () => {
    for (let n = 0; n < 4; n += 1) service.world.plantEvent(delivered({ transactionId: 'txn-full' }));
    expect(await list('transactionId=txn-full&limit=4')).toMatchObject({ hasMore: true });
    expect(await list('transactionId=txn-full&limit=4&page=1')).toMatchObject({ hasMore: false, data: [] });
    expect(await list('transactionId=txn-full&page=900')).toMatchObject({ hasMore: false, data: [], page: 900 });
  });
});

describe('the filters of the event list', () => {
  test.each([
    ['channels=push&channels=chat', 'channels=in_app'],
    ['severity=medium', 'severity=low'],
    ['subscriberIds=user-77&subscriberIds=x', 'subscriberIds=user-7'],
    ['emails=Seven@example.org', 'emails=seven@example.org'],
    ['search=EVEN@exam', 'search=user-7'],
    ['topicKey=vip', 'topicKey=vi'],
    ['contextKeys=b:2&contextKeys=a:1', 'contextKeys=b:2'],
    ['transactionId=txn-one', 'transactionId=txn-on'],
    ['templates=TEMPLATE', 'templates=order-shipped'],
  ])('find an event with ?%s, and not with ?%s', async (matching, other) => {
    Object.assign(service.world.subscriber('user-77'), { email: 'Seven@example.org' });
    const change = { subscriber: 'user-77', severity: 'medium', topics: ['vip'], transactionId: 'txn-one' };
    const event = service.world.plantEvent(failed('push', { ...change, contextKeys: ['a:1', 'b:2'] }));
    expect(await idsOf(`${matching.replace('TEMPLATE', `${event._templateId}`)}&limit=50`)).toContain(event._id);
    expect(await idsOf(`${other}&limit=50`)).not.toContain(event._id);
  });
});

describe('the time range of the event list', () => {
  test('includes both ends', async () => {
    const at = noon - hour;
    const ids = [0, 1, 2].map((ms) => service.world.plantEvent(delivered({ createdAt: at + ms + 1 }))._id);
    expect(await idsOf(`after=${time(at + 1)}&before=${time(at + 2)}`)).toEqual([ids[1], ids[0]]);
    expect(await idsOf(`after=${time(at + 3)}&before=${time(at + 3)}`)).toEqual([ids[2]]);
  });

  test('is by default from what the plan keeps to the time of the request', async () => {
    const planted = [noon + 1, noon, noon - 30 * day, noon - 30 * day - 1].map((createdAt) =>
      service.world.plantEvent(delivered({ createdAt, transactionId: 'txn-ends' })),
    );
    const ids = planted.map(({ _id }) => _id);
    expect(await idsOf('transactionId=txn-ends')).toEqual(ids.slice(1, 3));
    expect(await idsOf(`transactionId=txn-ends&before=${time(noon + 1)}`)).toEqual(ids.slice(0, 3));
  });

  test('is refused with 400 if it ends before it begins or is invalid', async () => {
    expect((await get(`after=${time(noon)}&before=${time(noon)}`)).status).toBe(200);
    expect(await get(`after=${time(noon)}&before=${time(noon - 1)}`)).toMatchObject({
      status: 400,
      body: { message: 'Invalid date range: start date (after) must be earlier than end date (before)' },
    });
    for (const value of ['yesterday', '2026', '1773144000000'])
      expect(await get(`after=${value}`)).toMatchObject({ status: 400, body: { message: 'Invalid "after" date' } });
    for (const value of ['2026-03-10', '2026-03-10T12:00:00%2B01:00', '2026-03-10T12:00:00Z'])
      expect((await get(`after=${value}`)).status).toBe(200);
  });

  test('is refused with 402 if it begins more than an hour before what the plan keeps', async () => {
    const earliest = noon - 30 * day - hour;
    expect((await get(`after=${time(earliest)}`)).status).toBe(200);
    expect(await get(`after=${time(earliest - 1)}`)).toMatchObject({
      status: 402,
      body: { message: expect.stringContaining('The earliest accessible date for your plan is 2026-02-08.') },
    });
  });
});

describe('a parameter of the event list', () => {
  test.each([
    ['limit=51', 'limit', '51'],
    ['page=1.5', 'page', '1.5'],
    ['workflow=x', 'workflow', 'x'],
    ['channels=email&channels=digest', 'channels.1', 'digest'],
    ['contextKeys=acme', 'contextKeys.0', 'acme'],
    ['transactionId=a&transactionId=b', 'transactionId', ['a', 'b']],
  ])('is refused with 422, its name and its value: ?%s', async (query, field, value) => {
    const { status, body } = await get(query);
    expect(status).toBe(422);
    expect(body).toEqual({
      ...{ statusCode: 422, timestamp: expect.any(String), path: `/v1/notifications?${query}` },
      ...{ message: 'Validation Error', errors: { [field]: { messages: [expect.any(String)], value } } },
    });
  });
});

describe('one event', () => {
  const retrieve = (id: string) => service.get(`/v1/notifications/${id}`);

  test('is answered with 404 if no event has the ID, and with 422 if it is malformed', async () => {
    const message = 'Notification with id 65f0c0ffee65f0c0ffee65f0 not found';
    expect(await retrieve('65f0c0ffee65f0c0ffee65f0')).toMatchObject({ status: 404, body: { message } });
    expect(await retrieve('order-1')).toMatchObject({ status: 422, body: { errors: { notificationId: {} } } });
  });
});
