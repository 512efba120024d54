import { addSeconds } from 'date-fns';
import { describe, expect, test } from 'vitest';
import { judge } from '../failures/judge.ts';
import { ServiceError } from '../lib/errors.ts';
import { aDetail, aFailedEvent, aJob, anEvent, at, aWorkflow } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { EventQuery } from '../service/query.ts';
import { listedEvent, readTransaction, tallyOf as tallyOfJudged } from './transaction.ts';

const failedWith = (provider: string, ...errors: string[]) => {
  const details = errors.map((detail, n) => aDetail({ id: `d${n}`, detail, provider }));
  return aJob({ id: `${provider} job`, status: 'failed', provider, details });
};

const tallyOf = (events: readonly TriggeredEvent[]) =>
  tallyOfJudged(
    'txn_1',
    events.map((event) => ({ event, judgement: judge(event, at(60)) })),
  );

describe('the tally of a transaction', () => {
  test('has events by verdict, causes by channel and provider, and topics', () => {
    const tally = tallyOf([aFailedEvent(), aFailedEvent(), anEvent({ topicKeys: ['launch'] })]);
    expect(tally).toMatchObject({ events: 3, counts: { failed: 2, delivered: 1 }, topicKeys: ['launch'] });
    expect([...tally.causes.values()]).toMatchObject([{ channel: 'email', provider: 'sendgrid', failures: 2 }]);
  });

  test('lists the most severe first, each kind in the order of arrival', () => {
    const events = [anEvent({ id: 'a' }), aFailedEvent({ id: 'b' }), anEvent({ id: 'c' }), aFailedEvent({ id: 'd' })];
    expect(tallyOf(events).listed.map(({ eventId }) => eventId)).toEqual(['b', 'd', 'a', 'c']);
  });

  test('keeps fifty of ten thousand events, including the failed ones', () => {
    const delivered = Array.from({ length: 3000 }, (_, i) => anEvent({ id: `fine-${i}` }));
    const { listed, events } = tallyOf([...delivered, aFailedEvent({ id: 'the one' })]);
    expect(events).toBe(3001);
    expect(listed).toHaveLength(50);
    expect(listed[0]?.eventId).toBe('the one');
  });

  test('counts the outcomes of each channel, but not of steps that send nothing', () => {
    const jobs = [aJob({ id: 'a' }), aJob({ id: 'b', type: 'sms' }), aJob({ id: 'c', type: 'digest' })];
    const { channels } = tallyOf([anEvent({ jobs }), aFailedEvent(), aFailedEvent()]);
    expect(Object.fromEntries(channels)).toEqual({ email: { delivered: 1, failed: 2 }, sms: { delivered: 1 } });
  });

  test('distinguishes causes by channel, provider and text', () => {
    const sms = { ...failedWith('twilio', 'Mailbox full'), type: 'sms' };
    const jobs = [failedWith('sendgrid', 'Mailbox full', 'Blocked'), failedWith('ses', 'Mailbox full'), sms];
    const { causes } = tallyOf([anEvent({ jobs }), anEvent({ jobs: jobs.slice(0, 1) })]);
    expect([...causes.values()].map(({ channel, provider, failures }) => [channel, provider, failures])).toEqual([
      ['email', 'sendgrid', 2],
      ['email', 'sendgrid', 2],
      ['email', 'ses', 1],
      ['sms', 'twilio', 1],
    ]);
  });

  test('names each workflow and topic once, and five of each at most', () => {
    const name = (n: number) => `name ${'abcdefgh'.charAt(n)}`;
    const workflow = (n: number) => aWorkflow({ identifier: 'order', name: name(n) });
    const events = [0, 0, 1, 2, 3, 4, 5, 1].map((n) => anEvent({ workflow: workflow(n), topicKeys: [name(n)] }));
    const five = [0, 1, 2, 3, 4].map(name);
    expect(tallyOf(events)).toMatchObject({ workflowNames: five, topicKeys: five });
    expect(tallyOf([anEvent({ workflow: null })])).toMatchObject({ workflowNames: [], topicKeys: [] });
  });

  test('has twelve channels and fifty causes at most, and goes on counting those', () => {
    const types = Array.from({ length: 14 }, (_, n) => `channel-${n}`);
    const sent = anEvent({ jobs: types.map((type) => aJob({ id: type, type })) });
    const { channels } = tallyOf([sent, sent]);
    expect([...channels]).toEqual(types.slice(0, 12).map((type) => [type, { delivered: 2 }]));

    const providers = Array.from({ length: 52 }, (_, n) => `provider-${n}`);
    const failed = anEvent({ jobs: providers.map((provider) => failedWith(provider, 'Mailbox full')) });
    const causes = [...tallyOf([failed, failed]).causes.values()];
    expect(causes.map(({ provider, failures }) => [provider, failures])).toEqual(
      providers.slice(0, 50).map((provider) => [provider, 2]),
    );
  });
});

describe('an event in one line', () => {
  const line = (event: ReturnType<typeof anEvent>) => listedEvent(event, judge(event, at(60)));

  test('has the cause of its outcome, not that of a lesser one', () => {
    const warned = aJob({ id: 'w', type: 'sms', details: [aDetail({ status: 'Warning', detail: 'Number is old' })] });
    const event = anEvent({ jobs: [warned, failedWith('sendgrid', 'Mailbox full')] });
    expect(line(event)).toEqual({
      eventId: event.id,
      transactionId: 'txn_0001',
      subscriberId: 'user-1',
      outcome: 'partly-failed',
      createdAt: event.createdAt,
      cause: { channel: 'email', provider: 'sendgrid', text: 'Mailbox full' },
    });
  });

  test('has neither a cause nor a subscriber if there is none', () => {
    expect(line(anEvent({ subscriber: null }))).toMatchObject({
      outcome: 'delivered',
      subscriberId: null,
      cause: null,
    });
  });
});

const EVENTS = Array.from({ length: 4_812 }, (_, n) =>
  n % 10 === 9 ? aFailedEvent({ id: `failed-${n}` }) : anEvent({ id: `fine-${n}` }),
);

interface Behavior {
  readonly unreadable?: number;
  readonly failing?: ReadonlyMap<number, ServiceError>;
  readonly byId?: readonly TriggeredEvent[];
  readonly clockAheadMs?: number | null;
}

const FAILED_PAGE = new ServiceError('production', 'listEvents', { kind: 'service-error', status: 500, errorId: null });

function reading(
  events: readonly TriggeredEvent[],
  { unreadable = 0, failing, byId, clockAheadMs = 0 }: Behavior = {},
) {
  let requests = 0;
  const retrieved: string[] = [];
  const queries: EventQuery[] = [];
  const service = {
    clockAheadMs: () => clockAheadMs,
    retrieveEvent: async (id: string) => {
      retrieved.push(id);
      return byId?.find((event) => event.id === id) ?? null;
    },
    async *eventPages(query: EventQuery & { readonly page?: number }) {
      queries.push(query);
      const { page: first = 0, limit = 50 } = query;
      for (let page = first; ; page++) {
        requests += 1;
        const failure = failing?.get(page);
        if (failure !== undefined) throw failure;
        const listed = events.slice(page * limit, (page + 1) * limit);
        const lost = listed.slice(0, unreadable).map(({ id }) => ({ key: `${id}`, createdAt: null }));
        const hasMore = (page + 1) * limit < events.length;
        yield { items: listed.slice(unreadable), unreadable: lost, hasMore };
        if (!hasMore) return;
      }
    },
  };
  return { parts: { service, now: () => at(60) }, requests: () => requests, retrieved, queries };
}

function fanningOut() {
  let now = at(60);
  const events = Array.from({ length: 100 }, (_, n) => anEvent({ id: `first-${n}`, createdAt: at(0) }));
  const service = {
    clockAheadMs: () => 0,
    retrieveEvent: async () => null,
    async *eventPages({ before = now }: EventQuery) {
      for (let page = 0; ; page++) {
        now = addSeconds(now, 3);
        events.unshift(...Array.from({ length: 40 }, (_, n) => anEvent({ id: `${page}-${n}`, createdAt: now })));
        const listed = events.filter(({ createdAt }) => createdAt !== null && createdAt <= before);
        const items = listed.slice(page * 50, (page + 1) * 50);
        const hasMore = (page + 1) * 50 < listed.length;
        yield { items, unreadable: [], hasMore };
        if (!hasMore) return;
      }
    },
  };
  return { service, now: () => now };
}

describe('reading a transaction with thousands of events', () => {
  test('reads two thousand, and says that there are more', async () => {
    const { parts, requests } = reading(EVENTS);
    const read = await readTransaction(parts, 'txn_0001');
    expect(read).toMatchObject({ tally: { events: 2_000, counts: { failed: 200 } }, isAll: false });
    expect(requests()).toBe(40);
  });

  test('counts the outcome of each channel', async () => {
    const { tally } = await readTransaction(reading(EVENTS).parts, 'txn_0001');
    expect(tally.channels.get('email')).toEqual({ failed: 200, delivered: 1_800 });
  });

  test('counts each event once while others are added, and ends with those that there were at the start', async () => {
    const { tally, isAll } = await readTransaction(fanningOut(), 'txn_0001');
    const ids = tally.listed.map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(ids.length);
    expect({ events: tally.events, isAll }).toEqual({ events: 140, isAll: true });
  });

  test.each([
    ["the service's clock", 90_000, at(60 + 90 + 5)],
    ["Notif's clock if the service's is behind", -90_000, at(60 + 5)],
    ["an hour after Notif's clock if the service doesn't say what time it is", null, at(3_660 + 5)],
  ])('asks for the events until a little after %s', async (_, clockAheadMs, before) => {
    const { parts, queries } = reading([anEvent()], { clockAheadMs });
    await readTransaction(parts, 'txn_0001');
    expect(queries).toMatchObject([{ before }]);
  });

  test('retrieves up to twenty events that are listed without their steps, and names no outcome of the others', async () => {
    const lean = Array.from({ length: 30 }, (_, n) => anEvent({ id: `e${n}`, jobs: [], listsSteps: false }));
    const byId = lean.map(({ id }) => aFailedEvent({ id }));
    const { parts, retrieved } = reading(lean, { byId });
    const { tally } = await readTransaction(parts, 'txn_0001');
    expect(tally.counts).toEqual({ failed: 20, 'not-shown': 10 });
    expect(retrieved).toHaveLength(20);
  });

  test('calls nothing delivered of which a detail is unreadable, but failed what shows a failure', async () => {
    const unreadable = ['jobs.executionDetails'];
    const { parts } = reading([anEvent({ id: 'a', unreadable }), aFailedEvent({ id: 'b', unreadable })]);
    const { tally } = await readTransaction(parts, 'txn_0001');
    expect(tally.counts).toEqual({ failed: 1, 'not-shown': 1 });
    expect(tally.channels.get('email')).toEqual({ failed: 1, 'not-shown': 1 });
  });

  test('keeps what was read before a page that fails', async () => {
    const { parts } = reading(EVENTS, { failing: new Map([[29, FAILED_PAGE]]) });
    const read = await readTransaction(parts, 'txn_0001');
    expect(read).toMatchObject({ tally: { events: 1_450 }, isAll: false, trouble: FAILED_PAGE, only: null });
  });

  test('throws if the first page fails', async () => {
    const { parts } = reading(EVENTS, { failing: new Map([[0, FAILED_PAGE]]) });
    await expect(readTransaction(parts, 'txn_0001')).rejects.toBe(FAILED_PAGE);
  });

  test('counts the events that could not be read', async () => {
    const { parts } = reading(EVENTS, { unreadable: 1 });
    expect(await readTransaction(parts, 'txn_0001')).toMatchObject({ tally: { events: 1_960, unreadable: 40 } });
  });

  test("returns the event if it is the transaction's only one", async () => {
    const one = anEvent({ id: 'alone' });
    expect((await readTransaction(reading([one]).parts, 'txn_0001')).only).toBe(one);
    expect((await readTransaction(reading(EVENTS).parts, 'txn_0001')).only).toBeNull();
  });
});
