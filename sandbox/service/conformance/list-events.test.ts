import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { delivered, failed, topicFanOut } from '../examples.ts';
import { idsOnPage, noon, quietEachTest } from '../quiet.testing.ts';
import cases from './list-events.cases.json' with { type: 'json' };

const service = quietEachTest();

const Details = z.array(z.looseObject({ status: z.string(), providerId: z.string().optional() }));
const Step = z.looseObject({ _id: z.string(), step: z.looseObject({}), executionDetails: Details });
const Event = z.looseObject({ _id: z.string(), jobs: z.array(Step) });

const hour = 3_600_000;
const day = 24 * hour;
const time = (ms: number) => new Date(ms).toISOString();
const get = (query: string) => service.get(`/v1/notifications?${query}`);
const list = async (query: string) => (await get(query)).body;
const idsOf = async (query: string) => idsOnPage(await list(query));

test('a page of events says that there is more whenever it is full, so the last page can be empty', async () => {
  for (let n = 0; n < 4; n += 1) service.world.plantEvent(delivered({ transactionId: 'txn-full' }));
  expect(await list('transactionId=txn-full&limit=4')).toMatchObject({ hasMore: true });
  expect(await list('transactionId=txn-full&limit=4&page=1')).toMatchObject({ hasMore: false, data: [] });
  expect(await list('transactionId=txn-full&page=900')).toMatchObject({ hasMore: false, data: [], page: 900 });
});

test.each(cases.filters)(
  'the filters of the event list find an event with ?%s, and not with ?%s',
  async (matching, other) => {
    Object.assign(service.world.subscriber('user-77'), { email: 'Seven@example.org' });
    const change = { subscriber: 'user-77', severity: 'medium', topics: ['vip'], transactionId: 'txn-one' };
    const event = service.world.plantEvent(failed('push', { ...change, contextKeys: ['a:1', 'b:2'] }));
    expect(await idsOf(`${matching.replace('TEMPLATE', `${event._templateId}`)}&limit=50`)).toContain(event._id);
    expect(await idsOf(`${other}&limit=50`)).not.toContain(event._id);
  },
);

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
      expect(await get(`after=${value}`)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(value) },
      });
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

test('a parameter of the event list is refused if it is unknown, given twice or malformed', async () => {
  const odd = 'page=1.5 workflow=x channels=email&channels=digest contextKeys=acme search=a&search=b';
  for (const query of odd.split(' ')) expect((await get(query)).status).toBe(422);
});

describe('a service that differs', () => {
  const retrieve = async (id: string) => Event.parse((await service.get(`/v1/notifications/${id}`)).body.data);

  test('can ignore a filter that it doesn’t know', async () => {
    service.world.plantEvent(delivered({ transactionId: 'other' }));
    expect(await idsOf('transactionId=unknown')).toEqual([]);
    service.behave({ ignores: ['transactionId'] });
    expect(await idsOf('transactionId=unknown')).toHaveLength(1);
  });

  test('can show a page’s oldest hundred details alone, without providers, while a retrieved event has all its own', async () => {
    service.behave({ detailsOfPage: 'the oldest hundred' });
    const events = 50;
    for (let n = 1; n <= events; n += 1) service.world.plantEvent(failed('email', { createdAt: noon - events + n }));
    const shown = z.array(Event).parse((await list('limit=50')).data);
    const details = shown.flatMap(({ jobs }) => jobs.flatMap(({ executionDetails }) => executionDetails));
    expect(details).toHaveLength(100);
    expect(details.some(({ providerId }) => providerId !== undefined)).toBe(false);
    const silent = shown.filter(({ jobs }) => jobs[0]?.executionDetails.every(({ status }) => status !== 'Failed'));
    expect(silent.length).toBeGreaterThan(events / 2);
    expect((await retrieve(silent[0]?._id ?? '')).jobs[0]?.executionDetails.at(-1)).toMatchObject({ status: 'Failed' });
  });

  test('can answer a retrieved event with a hundred steps of its transaction’s others, or with its own if it’s alone', async () => {
    const [event, ...others] = topicFanOut(150).map((plan) => service.world.plantEvent(plan));
    service.behave({ stepsOfRetrievedEvent: "its transaction's" });
    const { jobs } = await retrieve(event?._id ?? '');
    const strangers = new Set(others.flatMap((each) => each.jobs.map(({ _id }) => _id)));
    expect(jobs).toHaveLength(100);
    expect(jobs.every(({ _id, step }) => strangers.has(_id) && !('name' in step))).toBe(true);
    const alone = service.world.plantEvent(failed());
    expect((await retrieve(alone._id)).jobs.map(({ _id }) => _id)).toEqual(alone.jobs.map(({ _id }) => _id));
  });
});
